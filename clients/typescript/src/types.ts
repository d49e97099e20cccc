/** Names for parts of the generated schema, and the types of a request to any route. */
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type RunEvent = Schemas['RunEvent'];
export type RunResult = Schemas['RunResult'];
export type Replay = Schemas['Replay'];
export type SuiteCases = Schemas['SuiteCases'];
export type SuiteResult = Schemas['SuiteResult'];
export type RunRequest = paths['/api/v1/runs']['post']['requestBody']['content']['application/json'];
export type ClarifyRequest = Extract<RunEvent, { type: 'clarify_request' }>['data'];
export type ApprovalRequest = Extract<RunEvent, { type: 'approval_request' }>['data'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Paths that have the method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Parameters<O, In extends string> = O extends { parameters: { [I in In]?: infer V } } ? V : never;
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never;
type Success = 200 | 201 | 202;
type Json<R> = R extends { content: { 'application/json': infer B } } ? B : never;

/** `path` replaces the `{names}` in the path. */
export interface RequestInput<P extends keyof paths, M extends Method> {
  path?: Parameters<Operation<P, M>, 'path'>;
  query?: Parameters<Operation<P, M>, 'query'>;
  body?: Body<Operation<P, M>>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** JSON of a successful answer; never for routes that answer with something else. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? { [S in keyof R & Success]: Json<R[S]> }[keyof R & Success] : never;
