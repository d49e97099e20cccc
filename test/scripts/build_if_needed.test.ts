import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('buildIfNeeded', () => {
  it('uses a build that came without its sources', () => {
    const root = mkdtempSync(join(tmpdir(), 'neta-build-'));
    try {
      cpSync('scripts/build_if_needed.mjs', join(root, 'scripts/build_if_needed.mjs'), { recursive: true });
      cpSync('package.json', join(root, 'package.json'));
      mkdirSync(join(root, 'dist'));
      writeFileSync(join(root, 'dist/.built'), '');
      const script = `import { buildIfNeeded } from './scripts/build_if_needed.mjs'; buildIfNeeded(); console.log('used');`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
      expect({ stdout, stderr }).toEqual({ stdout: 'used\n', stderr: '' });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
