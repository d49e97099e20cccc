/** Prints what a person can do with a gateway that has just started. `more`: further lines. */
export function printNextSteps(url, more = []) {
  const steps = [
    `chat   open ${url} in a browser`,
    `REST   curl -s ${url}/api/v1/runs -H 'content-type: application/json' -d '{"input":"list the files"}'`,
    `docs   ${url}/docs`,
    ...more,
    'stop   Ctrl+C',
  ];
  console.log(`\n${steps.map(step => `  ${step}\n`).join('')}`);
}
