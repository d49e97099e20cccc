/** `npm run dev`: rebuilds server and pages on every change and restarts the server. */
import { spawn } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
const commands = [
  ['node', 'node_modules/typescript-native/bin/tsc', '--watch', '--preserveWatchOutput'],
  ['vite', 'build', '--watch', '--config', 'web/vite.config.mjs', '--logLevel', 'warn'],
  ['node', '--watch-path=dist/src', '--watch-path=dist/config', '--watch-preserve-output', 'bootstrap.js'],
];
const children = commands.map(([command, ...args]) => spawn(command, args, { cwd: root, stdio: 'inherit' }));
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
