/** Sends the request of a person and shows the answer as it comes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { indentJson } from '../components/basic/indent_json';
import type { ApiRequest } from './code_examples';

export interface Outcome {
  status: string;
  text: string;
  durationMs: number;
}

/** Longer answers are truncated. Characters. */
const SHOWN = 50_000;
const TEXT_TYPE = /^text\/|json|^$/;

/** Sends one request at a time. A failure to reach the gateway shows as the answer; `stop` keeps what has come. */
export function useSending(key: string) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, setSending] = useState(false);
  const aborting = useRef<AbortController>();
  useEffect(() => () => aborting.current?.abort(), []);
  const send = async ({ method, url, headers, body }: ApiRequest) => {
    const abort = new AbortController();
    aborting.current = abort;
    const began = performance.now();
    const show = (status: string, text: string) => setOutcome({ status, text, durationMs: performance.now() - began });
    setSending(true);
    setOutcome(undefined);
    try {
      const login = key === '' ? undefined : { authorization: `Bearer ${key}` };
      const response = await fetch(url, { method, headers: { ...headers, ...login }, body, signal: abort.signal });
      await readAnswer(response, text => show(`${response.status} ${response.statusText}`, text));
    } catch (error) {
      if (!abort.signal.aborted) show('–', String(error));
    }
    setSending(false);
  };
  return { outcome, isSending, send, stop: () => aborting.current?.abort() };
}

/** Calls `onText` with the answer so far, at least once. */
async function readAnswer(response: Response, onText: (text: string) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!TEXT_TYPE.test(type)) return onText(`${type}, ${(await response.blob()).size} B`);
  let text = '';
  onText(text);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    text += part.value;
    if (text.length <= SHOWN) onText(text);
  }
  onText(truncate(indentJson(text) ?? text));
}

const truncate = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
