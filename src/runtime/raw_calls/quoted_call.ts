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

/** The letters of the call in its usual forms, in case that the answer puts other marks around it. */
function squeezedForms({ name, args }: WrittenCall): string[] {
  if ('texts' in args && args['texts'] instanceof Map) return [squeeze(`${name}${[...args['texts']].flat().join('')}`)];
  const written = JSON.stringify(args);
  return ['arguments', 'parameters', ''].map(key => squeeze(`${name}${key}${written}`));
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(NO_LETTERS, '');
