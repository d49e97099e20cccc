/** The SDK of A2A, which is loaded with the first request: it takes 0.1 s. */
import { yieldToEventLoop } from '../../utils/yield_to_event_loop';

type Types = typeof import('@a2a-js/sdk');
type Servers = typeof import('@a2a-js/sdk/server');
type Errors = typeof import('@a2a-js/sdk/errors');
type Sdk = Pick<Types, 'AgentCard' | 'Role' | 'StreamResponse' | 'TaskState'> &
  Pick<Servers, 'JsonRpcTransportHandler' | 'ServerCallContext'> &
  Errors;

let sdk: Sdk | undefined;

/** Loads each part in a turn of the event loop, so that other callers wait less. Later calls do nothing. */
export async function loadA2aSdk(): Promise<void> {
  if (sdk) return;
  const errors: Errors = require('@a2a-js/sdk/errors');
  await yieldToEventLoop();
  const { AgentCard, Role, StreamResponse, TaskState }: Types = require('@a2a-js/sdk');
  await yieldToEventLoop();
  const { JsonRpcTransportHandler, ServerCallContext }: Servers = require('@a2a-js/sdk/server');
  sdk = { ...errors, AgentCard, Role, StreamResponse, TaskState, JsonRpcTransportHandler, ServerCallContext };
}

/** Throws before loadA2aSdk has resolved. */
export function a2aSdk(): Sdk {
  if (!sdk) throw new Error('a2aSdk was called before loadA2aSdk had resolved: await it first.');
  return sdk;
}
