/** The SDK of the Agent Client Protocol, which `neta acp` alone loads. */
type Sdk = typeof import('@agentclientprotocol/sdk');

let sdk: Sdk | undefined;

export function acpSdk(): Sdk {
  sdk ??= require('@agentclientprotocol/sdk') as Sdk;
  return sdk;
}
