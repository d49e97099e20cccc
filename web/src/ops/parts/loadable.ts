/** Data that a screen reads, and how the reading went. */
import { RequestError, refusalOf } from '../../api/request_error';

export interface Loadable<T> {
  /** Stays when a later reading fails. */
  data: T | undefined;
  status: 'loading' | 'ready' | 'failed';
  /** Why the gateway does not give the data; a retry would not help. */
  refusal?: string | undefined;
  /** Reads the data again. */
  reload(): void;
}

/** Codes after which a retry does not help: the key lacks a scope, the thing is not there or no longer kept, or the address has a wrong filter. */
const FINAL_CODES = ['forbidden', 'not_found', 'invalid_request', 'events_expired'];

/** Returns the refusal as a sentence; undefined when a retry may help. */
export function finalRefusalOf(error: unknown): string | undefined {
  return error instanceof RequestError && FINAL_CODES.includes(error.code) ? refusalOf(error) : undefined;
}
