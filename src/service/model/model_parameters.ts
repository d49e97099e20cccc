/** Checks, reads and merges the parameters of model calls. */
import { invalidField } from '../../errors';
import type { ModelParameters, WrittenParameters } from '../../port/model_parameters';
import { definedFields } from '../../utils/defined_fields';

type Clauses = readonly [en: string, zhCN: string];

const GATEWAYS: Clauses = ['the gateway writes it', '它由网关填写'];
const besideExtra = (name: string): Clauses => [`write it beside extra, as ${name}`, `请写在 extra 之外，字段名为 ${name}`];

/** Fields of a request body that the gateway sets itself, and those that have a name of their own in the parameters. */
const OWN_FIELDS: Readonly<Record<string, Clauses>> = {
  model: ['choose the model with the field model', '请用字段 model 选择模型'],
  messages: GATEWAYS,
  tools: GATEWAYS,
  tool_choice: GATEWAYS,
  functions: GATEWAYS,
  function_call: GATEWAYS,
  stream: GATEWAYS,
  stream_options: GATEWAYS,
  n: ['the gateway asks for one answer', '网关只请求一个回答'],
  temperature: besideExtra('temperature'),
  max_tokens: besideExtra('maxOutputTokens'),
  max_completion_tokens: besideExtra('maxOutputTokens'),
  top_p: besideExtra('topP'),
  stop: besideExtra('stop'),
  seed: besideExtra('seed'),
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
  messageZh: string;
}

/** Returns the first mistake that the schema cannot express. */
export function findParameterProblem(written: WrittenParameters): ParameterProblem | undefined {
  for (const names of SPELLINGS) {
    const [first, second] = names.filter(name => written[name] !== undefined);
    if (second !== undefined)
      return problem(`/${second}`, `means the same as ${first}; write one of the two`, `与 ${first} 含义相同；请只写其中一个`);
  }
  const { extra = {} } = written;
  for (const name of Object.keys(extra)) {
    const [en, zhCN] = (Object.hasOwn(OWN_FIELDS, name) && OWN_FIELDS[name]) || [];
    if (en !== undefined) return problem(`/extra/${name}`, `cannot be set here; ${en}`, `不能在此设置；${zhCN}`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(extra));
  const most = `${MAX_EXTRA_BYTES / 1024} KiB`;
  return bytes > MAX_EXTRA_BYTES ? problem('/extra', `is larger than ${most}`, `超过 ${most}`) : undefined;
}

const problem = (pointer: string, message: string, messageZh: string): ParameterProblem => ({ pointer, message, messageZh });

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
  const found = findParameterProblem(written);
  if (!found) return toModelParameters(written);
  const param = `/parameters${found.pointer}`;
  throw invalidField(param, `${found.message}.`, `${found.messageZh}。`);
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
