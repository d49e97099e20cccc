/** Passkeys in this browser: the device of the person answers what the gateway asks. */
import { callRest } from '../api/call_rest';

interface Asked {
  options: unknown;
  step: string;
}

/** The answer of a device, as the gateway takes it. */
export interface PasskeyAnswer {
  step: string;
  response: unknown;
}

/** The functions that older browsers lack. */
interface JsonCredentials {
  parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions;
}

const credentials = (): Partial<JsonCredentials> | undefined =>
  (globalThis as { PublicKeyCredential?: Partial<JsonCredentials> }).PublicKeyCredential;

/** True when this browser knows passkeys. */
export const knowsPasskeys = (): boolean => credentials()?.parseRequestOptionsFromJSON !== undefined;

/** Rejects with a RequestError when the gateway refuses it, and with a DOMException when the person does. */
export async function askPasskey(): Promise<PasskeyAnswer> {
  const { options, step } = await callRest<Asked>('POST', '/login/passkey/options', {});
  const publicKey = (credentials() as JsonCredentials).parseRequestOptionsFromJSON(options);
  return { step, response: toJson(await navigator.credentials.get({ publicKey })) };
}

/** As `askPasskey`, for a new passkey of the person who is logged in. */
export async function addPasskey(name: string): Promise<void> {
  const { options, step } = await callRest<Asked>('POST', '/me/passkeys/options', {});
  const publicKey = (credentials() as JsonCredentials).parseCreationOptionsFromJSON(options);
  const response = toJson(await navigator.credentials.create({ publicKey }));
  await callRest('POST', '/me/passkeys', { step, name, response });
}

const toJson = (credential: Credential | null): unknown => (credential as PublicKeyCredential | null)?.toJSON();
