/** Ctrl+C in commands that wait for long work. */
import { EXIT, type Invocation } from './command';
import { TEXTS } from './texts';

/** Ctrl+C aborts the work; a second Ctrl+C ends the command at once. Resolves with the exit code of the work. Rejects as the work does. */
export async function untilInterrupted({ output, language }: Invocation, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController();
  const onSignal = () => {
    if (abort.signal.aborted) process.exit(EXIT.interrupted);
    output.note(TEXTS.cancelling[language], 'dim');
    abort.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal);
  try {
    return await work(abort.signal);
  } catch (thrown) {
    if (abort.signal.aborted) return EXIT.interrupted;
    throw thrown;
  } finally {
    process.off('SIGINT', onSignal);
  }
}
