/** The official client of A2A. Its package for signatures of cards is a module of ECMAScript, which jest cannot load, and is not used here. */
import type * as Sdk from '@a2a-js/sdk';
import type * as ClientSdk from '@a2a-js/sdk/client';

jest.doMock('jose', () => ({}));

export const { Role, TaskState } = require('@a2a-js/sdk') as typeof Sdk;
export const { ClientFactory, JsonRpcTransportFactory } = require('@a2a-js/sdk/client') as typeof ClientSdk;
