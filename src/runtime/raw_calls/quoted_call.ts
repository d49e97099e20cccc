/** Tells whether a call in an answer repeats what a tool returned or what the person wrote: such a call is a quotation, whoever wrote it first. */
import type { ChatMessage } from '../../port/llm';
import type { WrittenCall } from './written_call';

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** `text`: the call with its marks, as it stands in the answer. White space, quotation marks and escapes make no difference. O(size of the history). */
export function isQuotedCall(text: string, calls: readonly WrittenCall[], history: readonly ChatMessage[]): boolean {
  const wanted = [squeeze(text), ...calls.flatMap(squeezedForms)];
  const sources = history.filter(message => message.role === 'tool' || message.role === 'user');
  const mentions = sources.filter(({ content }) => calls.some(({ name }) => content?.includes(name)));
  return mentions.some(({ content }) => {
    const squeezed = squeeze(content ?? '');
    return wanted.some(form => squeezed.includes(form));
  });
}

/** Returns the letters of the call in the usual formats, for comparison: the answer may have put other marks around them. */
function squeezedForms({ name, args }: WrittenCall): string[] {
  const entries = args['texts'] instanceof Map ? [...args['texts']] : Object.entries(args);
  const texts = entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
  const json = JSON.stringify(Object.fromEntries(entries));
  const withKeys = [`name ${name} arguments ${json}`, `name ${name} parameters ${json}`];
  // A name without arguments is no quoted call: the person may simply have named the tool.
  if (entries.length === 0) return withKeys.map(squeeze);
  return [
    ...withKeys,
    `${name} ${json}`,
    `function ${name} ${texts.map(([key, value]) => `parameter ${key} ${value} parameter`).join('')}`,
    `${name} ${texts.map(([key, value]) => `argkey ${key} argkey argvalue ${value} argvalue`).join('')}`,
  ].map(squeeze);
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(NO_LETTERS, '');
