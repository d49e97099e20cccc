/** The SDK for requests without a session, which is loaded with the first such request: it takes 11 MB and 0.2 s. */
type Sdk = typeof import('@modelcontextprotocol/server');

let sdk: Sdk | undefined;

export function statelessSdk(): Sdk {
  sdk ??= require('@modelcontextprotocol/server') as Sdk;
  return sdk;
}
