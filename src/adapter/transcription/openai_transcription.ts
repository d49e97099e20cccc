import type { Usage } from '../../port/llm';
import type { Recording, Transcript, TranscriptionPort } from '../../port/transcription';
import { joinUrl } from '../../utils/join_url';
import { undici } from '../network/undici';
import { askModelServer, toRefusal } from '../openai/ask_model_server';
import { providerOf } from '../openai/chat_endpoint';
import { reportedError } from '../openai/error_shapes';
import { isRecord } from '../openai/json_value';
import { badResponse } from '../openai/model_errors';
import { toStreamedError } from '../openai/model_refusals';

interface OpenAiTranscriptionOptions {
  /** Undefined for servers that need no key. Never appears in errors. */
  apiKey?: string;
  /** Base of an OpenAI-compatible API, usually ending with `/v1`. Default: OpenAI's own. */
  baseUrl?: string;
  model: string;
  /** Milliseconds for a recording. */
  limitMs?: number;
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** A model on a processor takes about as long as the recording. */
const LIMIT_MS = 300_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Creates the client of an OpenAI-compatible /audio/transcriptions API. */
export function createOpenAiTranscription({ apiKey, baseUrl, model, limitMs = LIMIT_MS }: OpenAiTranscriptionOptions): TranscriptionPort {
  const url = joinUrl(baseUrl ?? DEFAULT_BASE_URL, '/audio/transcriptions');
  return {
    model,
    baseUrl,
    provider: providerOf(url),
    async transcribe(recording, signal) {
      const headers: Record<string, string> = { accept: 'application/json' };
      if (apiKey) headers['authorization'] = `Bearer ${apiKey}`;
      const body = toForm(recording, model);
      const answer = await askModelServer(url, { method: 'POST', headers, body, signal, limitMs, maxBytes: MAX_ANSWER_BYTES });
      if (answer.status < 200 || answer.status > 299) throw toRefusal(answer, apiKey);
      return toTranscript(answer.text, apiKey);
    },
  };
}

/** Servers tell the format by the ending of the file name. */
function toForm({ bytes, mediaType, language }: Recording, model: string): object {
  const { FormData } = undici();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type: mediaType }), `speech.${endingOf(mediaType)}`);
  form.set('model', model);
  form.set('response_format', 'json');
  if (language !== undefined) form.set('language', language);
  return form;
}

const ENDINGS: Readonly<Record<string, string>> = {
  mpeg: 'mp3',
  mp4: 'mp4',
  'x-m4a': 'm4a',
  'x-wav': 'wav',
  wave: 'wav',
  'x-flac': 'flac',
};

function endingOf(mediaType: string): string {
  const name = mediaType.slice(mediaType.indexOf('/') + 1);
  return ENDINGS[name] ?? name;
}

/** Reads `{ text, usage? }`, as OpenAI, vLLM, LocalAI and whisper.cpp answer. Models mark silence with a blank. */
function toTranscript(body: string, apiKey: string | undefined): Transcript {
  const answer = parse(body);
  if (!isRecord(answer)) throw badResponse(NO_TRANSCRIPT);
  if (typeof answer['text'] === 'string') return { text: answer['text'].trim(), usage: tokensIn(answer['usage']) };
  const problem = reportedError(answer);
  if (problem !== undefined) throw toStreamedError(problem, { apiKey, now: Date.now(), maxRetryAfterMs: 0 });
  throw badResponse(NO_TRANSCRIPT);
}

/** Some models count seconds in place of tokens, and others nothing. */
function tokensIn(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw badResponse(NO_TRANSCRIPT, cause);
  }
}

const NO_TRANSCRIPT = [
  'it is no transcript; check the address, it usually ends with /v1',
  '不是转写结果；请检查地址，它通常以 /v1 结尾',
] as const;
