/** `fetch` for requests whose answer takes long, such as a suite that calls a model: it waits for the answer without a limit. */

/** Node's own fetch gives up when the answer does not begin within 300 s. Proxies are used as by Node's fetch. */
export function createPatientFetch(env: NodeJS.ProcessEnv): typeof fetch {
  return async (url, init) => {
    // Loaded on demand: it takes 2 MB, and few commands need it.
    const { Agent, EnvHttpProxyAgent, fetch: send } = await import('undici');
    const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
    const dispatcher = env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(unlimited) : new Agent(unlimited);
    // Casts, because undici's types equal those of Node's own fetch under other names.
    return (await send(String(url), { ...(init as object), dispatcher })) as unknown as Response;
  };
}
