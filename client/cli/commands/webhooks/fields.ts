import { Option } from 'commander';
import type { CreateWebhook, NoticeType } from '../../../types.ts';
import { noticeTypes, signatureSchemes } from '../../parameters.ts';
import { usageProblem } from '../../problems.ts';

/** The values of the options that describe a webhook. */
export type WebhookFlags = {
  readonly types?: readonly NoticeType[];
  readonly description?: string;
  readonly signature?: CreateWebhook['signature'];
};

/** The option `--types`, whose value is a list with commas. With `all`, it accepts that word, too, which is an empty list. */
export function typesOption(description: string, { all = false }: { readonly all?: boolean } = {}): Option {
  return new Option('--types <types>', description)
    .choices(all ? ['all', ...noticeTypes] : noticeTypes)
    .argParser((text: string) => {
      if (all && text === 'all') return [];
      const types = text.split(',').map((type) => type.trim());
      const unknown = types.find((type) => !noticeTypes.includes(type as NoticeType));
      if (unknown === undefined) return types;
      throw usageProblem(
        `--types must be types of notices with commas between them. "${unknown}" is none.`,
        `The types are ${noticeTypes.join(', ')}.`,
      );
    });
}

/** The other options that describe a webhook. */
export function describingOptions(): Option[] {
  return [
    new Option('--description <text>', 'Your own note about the webhook.'),
    new Option('--signature <scheme>', 'How it is signed. With whereby, also as Whereby signs its webhooks.').choices(
      signatureSchemes,
    ),
  ];
}
