/** The client half of the SDK, which is loaded with the first server: it takes 6 MB and 0.2 s. */
type Types = typeof import('@modelcontextprotocol/sdk/types.js');
type Clients = typeof import('@modelcontextprotocol/sdk/client/index.js');
type HttpTransports = typeof import('@modelcontextprotocol/sdk/client/streamableHttp.js');
type SseTransports = typeof import('@modelcontextprotocol/sdk/client/sse.js');
type Sdk = Types & Clients & HttpTransports & SseTransports;

let sdk: Sdk | undefined;

export function mcpSdk(): Sdk {
  sdk ??= {
    ...(require('@modelcontextprotocol/sdk/types.js') as Types),
    ...(require('@modelcontextprotocol/sdk/client/index.js') as Clients),
    ...(require('@modelcontextprotocol/sdk/client/streamableHttp.js') as HttpTransports),
    ...(require('@modelcontextprotocol/sdk/client/sse.js') as SseTransports),
  };
  return sdk;
}
