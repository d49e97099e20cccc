/** The text of an answer, as a part of an item. */
import { type Static, Type } from '@sinclair/typebox';

export const OutputText = Type.Object({
  type: Type.Literal('output_text'),
  text: Type.String(),
  annotations: Type.Array(Type.Never()),
  logprobs: Type.Array(Type.Never()),
});
export type OutputText = Static<typeof OutputText>;

export const outputText = (text: string): OutputText => ({ type: 'output_text', text, annotations: [], logprobs: [] });
