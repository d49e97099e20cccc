/** The variables that name proxies, in both cases. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap(name => [name, name.toUpperCase()]);

/** Replaces the proxy variables of this process until the returned function is called. */
export function setProxyVariables(variables: Readonly<Record<string, string>>): () => void {
  const before = PROXY_VARIABLES.map(name => [name, process.env[name]] as const);
  for (const name of PROXY_VARIABLES) delete process.env[name];
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
