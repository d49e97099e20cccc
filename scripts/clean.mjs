/** Removes the compiler's output. The compiler keeps output of deleted sources, and the framework would load it. */
import { rmSync } from 'node:fs';

for (const part of ['src', 'config', 'node_modules', 'compile_cache', '.tsbuildinfo'])
  rmSync(`dist/${part}`, { recursive: true, force: true });
