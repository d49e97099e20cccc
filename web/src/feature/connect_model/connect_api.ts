/** The routes of model providers. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { GatewayInfo, Page } from '../../api/rest_types';

export interface ModelProvider {
  id: string;
  label: string;
  baseUrl?: string;
  needsKey: boolean;
  keyPage?: string;
  /** Present for a server that runs on the gateway's machine now. */
  models?: readonly string[];
}

export interface ServerChoice {
  provider: string;
  baseUrl?: string;
  apiKey?: string;
}

export interface ServerCheck {
  ok: boolean;
  models: readonly string[];
  problem?: { message: string };
}

export const listProviders = async (): Promise<readonly ModelProvider[]> =>
  (await callRest<Page<ModelProvider>>('GET', '/model-providers?limit=100')).data;

/** Asks the server for its models; with `model`, asks this model for one word. */
export const checkServer = (choice: ServerChoice & { model?: string }): Promise<ServerCheck> =>
  callRest('POST', '/model-providers/check', choice);

export const connectModel = (choice: ServerChoice & { model: string }): Promise<void> =>
  callRest('POST', '/model-providers/connect', choice);

export const readInfo = (): Promise<GatewayInfo> => callRest('GET', '/info');
