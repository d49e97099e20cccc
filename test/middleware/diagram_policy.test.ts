import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIAGRAM_POLICY } from '../../src/middleware/page_policy';

it('the policy of the diagram frame names the script of the frame by its hash', () => {
  const page = readFileSync(join(__dirname, '../../web/public/diagram.html'), 'utf8');
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(scripts).toHaveLength(1);
  const hash = createHash('sha256')
    .update(scripts[0]?.[1] ?? '')
    .digest('base64');
  expect(DIAGRAM_POLICY).toContain(`'sha256-${hash}'`);
});
