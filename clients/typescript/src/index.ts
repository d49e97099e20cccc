/** @neta/client: a typed client of neta-gateway for Node, browsers and other runtimes with fetch. */
export { NetaClient, type Question, type RunOptions } from './client';
export { NetaError, type NetaOptions } from './http';
export { Run } from './run';
export type { ApprovalRequest, ClarifyRequest, RunEvent, RunRequest, RunResult } from './types';
