/** A gateway whose terminal or pipe has gone away writes to nobody, and works on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

jest.setTimeout(30_000);

const PROGRAM = `
  const { openLogger } = require(${JSON.stringify(join(__dirname, '../../../../dist/src/adapter/local/log/open_logger.js'))});
  const logger = openLogger({ format: 'text', level: 'info', timeZone: 'UTC' }, text => text);
  let uncaught = 0;
  process.on('uncaughtException', error => {
    uncaught += 1;
    logger.error('uncaught exception', error);
  });
  process.once('message', async () => {
    for (let i = 0; i < 5; i++) {
      logger.error('something failed', new Error('x'));
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    process.send({ uncaught }, () => process.exit(0));
  });
  process.send('ready');
`;

it('logs no error about its own output', async () => {
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  try {
    await once(child, 'message');
    child.stderr?.destroy();
    child.stdout?.destroy();
    child.send('go');
    const [told] = await once(child, 'message', { signal: AbortSignal.timeout(10_000) });
    expect(told).toEqual({ uncaught: 0 });
  } finally {
    child.kill('SIGKILL');
  }
});
