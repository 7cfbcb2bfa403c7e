import MarkdownIt from 'markdown-it';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/**
 * The blocks of a Markdown file, as HTML, by readers that we did not write. Both make links of addresses. Items of
 * lists are paragraphs.
 */
export const markdownReaders = {
  'GitHub Flavored Markdown': (body: string): string[] =>
    fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children.flatMap(blocksOf),
  'Markdown where every domain is a link': (body: string): string[] =>
    eager
      .render(body)
      .replace(/<\/?ul>\n/g, '')
      .replace(/(<\/?)li>/g, '$1p>')
      .split('\n')
      .slice(0, -1),
};

const eager = new MarkdownIt({ html: true, linkify: true });
eager.linkify.set({ fuzzyLink: true, fuzzyIP: true });

type Node = { readonly type: string; readonly value?: string; readonly children?: readonly Node[] };

const tags = new Map([
  ['heading', 'h1'],
  ['paragraph', 'p'],
]);

function blocksOf(node: Node): string[] {
  const { type, children = [] } = node;
  return type === 'list' || type === 'listItem' ? children.flatMap(blocksOf) : [htmlOf(node)];
}

function htmlOf({ type, value, children = [] }: Node): string {
  if (type === 'text') return escaped(value ?? '');
  const tag = tags.get(type) ?? type;
  return `<${tag}>${value ?? children.map(htmlOf).join('')}</${tag}>`;
}

/** Text as HTML has it. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
