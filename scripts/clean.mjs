/**
 * Begins a build: removes the compiler's output and notes the time. The compiler keeps output of deleted sources, and the framework would load it.
 * The last step of the build renames `.building` to `.built`, so a file that is saved during the build is newer than the build.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

for (const part of ['src', 'config', 'node_modules', 'compile_cache', '.tsbuildinfo', '.built'])
  rmSync(`dist/${part}`, { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
writeFileSync('dist/.building', '');
