import { texts } from '../../texts/en.ts';

/** The view usage. */
export function UsageView() {
  return <h1>{texts.usage.title}</h1>;
}
