/**
 * A wire is what a model server of one API sends and reads, written from the vendor's public documentation. The contract suite says in neutral words
 * what the server answers; the wire turns that into its bytes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelLimits } from '../../../src/adapter/openai/model_limits';
import type { ModelClient } from '../../../src/port/model_client';

export type WirePart =
  /** Each piece is a delta of its own. */
  | { text: string[] }
  /** `proof`: what the server wants back with the thought. */
  | { thought: string[]; proof: string }
  /** A thought that only the server can read. */
  | { hidden: string }
  /** `proof`: as that of a thought, where the server puts it on calls. */
  | { call: { id: string; name: string; args: string[]; proof?: string } };

export interface WireUsage {
  /** Tokens that neither came from the cache nor went into it. */
  fresh: number;
  cached: number;
  written: number;
  /** Thoughts included. */
  output: number;
  thinking: number;
  /** The service tier that answered. */
  tier?: string;
}

export interface WireAnswer {
  parts: WirePart[];
  usage?: WireUsage;
  /** Default: stop, or the word for calls when there are any. */
  end?: 'length' | 'filter';
}

export type WireFailure = 'key' | 'rate' | 'overloaded' | 'too_long' | 'bad_tool' | 'server';

/** A request in neutral words. */
export interface WireRequest {
  path: string;
  key: string | undefined;
  model: string;
  system: string;
  messages: WireMessage[];
  tools: string[];
  /** Undefined: the API decides. */
  parallel: boolean | undefined;
  /** True when the request asks the model to think. */
  thinks: boolean;
  schema?: unknown;
}

export interface WireMessage {
  role: 'user' | 'assistant';
  /** Texts, images (`image:<media type>:<base64>`), files, thoughts, calls (`call:<id>:<name>:<JSON>`) and results (`result:<id>:<text>`) in order. */
  parts: string[];
}

export interface ModelWire {
  name: string;
  /** The name of the server for errors and metrics. */
  provider: string;
  model: string;
  /** Absent features are not tested. */
  has: {
    thoughts?: boolean;
    hidden?: boolean;
    cacheWrites?: boolean;
    schema?: boolean;
    /** Arguments of calls come as objects, which cannot be broken. */
    argumentObjects?: boolean;
    /** No field of a request forbids calls side by side; the adapter takes the first. */
    noParallelField?: boolean;
  };
  /** Opens a client for the server at `baseUrl`, which ends with `/v1`. */
  open(baseUrl: string, options: { apiKey?: string; limits?: Partial<ModelLimits>; model?: string }): ModelClient;
  /** Returns the pieces of a streamed answer, whole events each. */
  encode(answer: WireAnswer): string[];
  /** The number of pieces at the end of such an answer, without usage, that say that it is whole. */
  endEvents: number;
  /** An event that is broken JSON. */
  malformed: string;
  /** An event that says that the server is overloaded. */
  errorEvent: string;
  refuse(failure: WireFailure): { status: number; body: unknown };
  /** The error for a request that is wrong in itself, in the words of the vendor. */
  badRequest(message: string): { status: number; body: unknown };
  read(body: Record<string, unknown>, headers: IncomingHttpHeaders, path: string): WireRequest;
  /** The route that counts the tokens of a request, and its answer. Absent: the API has none. */
  count?: { path: RegExp; answer(tokens: number): unknown };
  /** The document of the list of models. */
  list(names: string[]): unknown;
}

/** Encodes one server-sent event. */
export const toEvent = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
