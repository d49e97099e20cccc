/** A model that answers the questions of `neta models probe` as a capable one does. */
import type { WireAnswer, WirePart, WireRequest } from './model_wire';

const weather = (id: string, city: string): WirePart => ({ call: { id, name: 'weather', args: [JSON.stringify({ city })] } });
const say = (text: string): WireAnswer => ({
  parts: [{ text: [text] }],
  usage: { fresh: 12, cached: 0, written: 0, output: 3, thinking: 0 },
});

const isFileWithWord = (part: string): boolean =>
  part.startsWith('file:') && Buffer.from(part.split(':').at(-1) ?? '', 'base64').includes('(TANGERINE)');

/** `createId`: makes the ids of calls in the form of the server. */
export function answerProbe(request: WireRequest, createId: () => string): WireAnswer {
  const parts = request.messages.flatMap(({ parts: own }) => own);
  const last = parts.at(-1) ?? '';
  const text = parts.findLast(part => !/^(?:result|call|image|file|thought|hidden):/.test(part)) ?? '';
  if (request.system.includes('PEAR')) return say('PEAR');
  if (text.includes('Count from 1')) return { parts: [{ text: ['1, 2, 3'] }], end: 'length' };
  if (/^result:.*37 degrees/.test(last)) return say('It is 37 degrees.');
  if (text.includes('Bern and for Rome')) {
    const [bern, rome] = [weather(createId(), 'Bern'), weather(createId(), 'Rome')];
    return { parts: request.parallel === false ? [bern] : [bern, rome] };
  }
  if (text.includes('how warm')) return { parts: [weather(createId(), 'Bern')] };
  if (text.includes('Which colour')) return say(parts.some(part => part.startsWith('image:image/png:')) ? 'Red.' : 'I see no image.');
  if (text.includes('Which word')) return say(parts.some(isFileWithWord) ? 'Tangerine.' : 'I see no file.');
  if (text.includes('prime')) {
    const thoughts: WirePart[] = request.thinks ? [{ thought: ['89 times 97 is 8633.'], proof: 'cHJvb2Y=' }] : [];
    return { parts: [...thoughts, { text: ['No.'] }] };
  }
  return say(text.includes('legs') ? '{"legs":4}' : 'OK');
}
