/** The client half of the SDK for servers without sessions, which is loaded with the first such server. */
type Sdk = typeof import('@modelcontextprotocol/client');

let sdk: Sdk | undefined;

export function statelessSdk(): Sdk {
  sdk ??= require('@modelcontextprotocol/client') as Sdk;
  return sdk;
}
