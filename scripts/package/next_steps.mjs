/** Prints what a person can do with a gateway that has just started. `isLocked`: every caller needs a key or a login. `more`: further lines. */
export function printNextSteps({ url, isLocked }, more = []) {
  const key = isLocked ? ' -H "authorization: Bearer $NETA_API_KEY"' : '';
  const steps = [
    `chat   open ${url} in a browser${isLocked ? ' and log in' : ''}`,
    `REST   curl -s ${url}/api/v1/runs${key} -H 'content-type: application/json' -d '{"input":"list the files"}'`,
    ...(isLocked ? ['keys   NETA_API_KEY is a key of this gateway; "neta keys create <name>" makes one'] : []),
    `docs   ${url}/docs`,
    ...more,
    'stop   Ctrl+C',
  ];
  console.log(`\n${steps.map(step => `  ${step}\n`).join('')}`);
}
