/** What a person reads behind the start of a gateway. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '../../scripts/package/next_steps.mjs')).href;

const linesFor = (isLocked: boolean): string => {
  const code = `(await import('${MODULE}')).printNextSteps({ url: 'http://127.0.0.1:7001', isLocked: ${isLocked} })`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout;
};

it('shows a request with a key for a locked gateway, and one without for an open one', () => {
  expect(linesFor(true)).toContain('curl -s http://127.0.0.1:7001/api/v1/runs -H "authorization: Bearer $NETA_API_KEY"');
  expect(linesFor(true)).toContain('neta keys create');
  expect(linesFor(false)).toContain("curl -s http://127.0.0.1:7001/api/v1/runs -H 'content-type");
});
