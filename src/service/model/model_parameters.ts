/** Checks, reads and merges the parameters of model calls. */
import { AppError } from '../../errors';
import type { ModelParameters, WrittenParameters } from '../../port/model_parameters';
import { definedFields } from '../../utils/defined_fields';

/** Fields of a request body that the gateway sets itself, and those that have a name of their own in the parameters. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  model: 'choose the model with the field model',
  messages: 'the gateway writes it',
  tools: 'the gateway writes it',
  tool_choice: 'the gateway writes it',
  functions: 'the gateway writes it',
  function_call: 'the gateway writes it',
  stream: 'the gateway writes it',
  stream_options: 'the gateway writes it',
  n: 'the gateway asks for one answer',
  temperature: 'write it beside extra, as temperature',
  max_tokens: 'write it beside extra, as maxOutputTokens',
  max_completion_tokens: 'write it beside extra, as maxOutputTokens',
  top_p: 'write it beside extra, as topP',
  stop: 'write it beside extra, as stop',
  seed: 'write it beside extra, as seed',
};
const SPELLINGS: readonly (readonly (keyof WrittenParameters)[])[] = [
  ['maxOutputTokens', 'maxTokens', 'max_tokens'],
  ['topP', 'top_p'],
];
const MAX_EXTRA_BYTES = 16_384;

/** Fields that shape one answer for a program; a server may refuse them when the answer is a summary. */
const ANSWER_FIELDS = new Set(['response_format', 'modalities', 'audio', 'prediction', 'logprobs', 'top_logprobs']);

/** `pointer`: JSON pointer within the parameters. */
export interface ParameterProblem {
  pointer: string;
  message: string;
}

/** Returns the first mistake that the schema cannot express. */
export function findParameterProblem(written: WrittenParameters): ParameterProblem | undefined {
  for (const names of SPELLINGS) {
    const [first, second] = names.filter(name => written[name] !== undefined);
    if (second !== undefined) return { pointer: `/${second}`, message: `means the same as ${first}; write one of the two` };
  }
  const { extra = {} } = written;
  for (const name of Object.keys(extra)) {
    if (Object.hasOwn(OWN_FIELDS, name)) return { pointer: `/extra/${name}`, message: `cannot be set here; ${OWN_FIELDS[name]}` };
  }
  const bytes = Buffer.byteLength(JSON.stringify(extra));
  return bytes > MAX_EXTRA_BYTES ? { pointer: '/extra', message: `is larger than ${MAX_EXTRA_BYTES / 1024} KiB` } : undefined;
}

/** Reads checked parameters. */
export function toModelParameters(written: WrittenParameters): ModelParameters {
  const { maxOutputTokens, maxTokens, max_tokens, topP, top_p, stop, ...rest } = written;
  const most = maxOutputTokens ?? maxTokens ?? max_tokens;
  const nucleus = topP ?? top_p;
  return {
    ...rest,
    maxOutputTokens: most,
    topP: nucleus,
    stop: stop === undefined ? undefined : typeof stop === 'string' ? [stop] : stop,
  };
}

/** Reads the parameters of a request. Throws `invalid_request`; `param` begins with `/parameters`. */
export function readRequestParameters(written: WrittenParameters): ModelParameters {
  const problem = findParameterProblem(written);
  if (!problem) return toModelParameters(written);
  const param = `/parameters${problem.pointer}`;
  throw new AppError('invalid_request', { param, message: `${param}: ${problem.message}.` });
}

/** Merges parameters. A later value replaces an earlier one, field by field, in `extra` too. */
export function mergeParameters(...all: readonly (ModelParameters | undefined)[]): ModelParameters {
  const merged: ModelParameters = Object.assign({}, ...all.map(parameters => definedFields(parameters ?? {})));
  const extras = all.flatMap(parameters => parameters?.extra ?? []);
  return extras.length > 1 ? { ...merged, extra: Object.assign({}, ...extras) } : merged;
}

/**
 * Returns parameters for a summary. Fields that choose where the request goes, such as the provider, stay; limits of length and form of answers are
 * left out.
 */
export function toSummaryParameters({ stop: _stop, maxOutputTokens: _most, extra, ...rest }: ModelParameters): ModelParameters {
  if (!extra) return rest;
  return { ...rest, extra: Object.fromEntries(Object.entries(extra).filter(([name]) => !ANSWER_FIELDS.has(name))) };
}

/** Returns true when no parameter is set. */
export const isEmpty = (parameters: ModelParameters): boolean => Object.keys(parameters).length === 0;
