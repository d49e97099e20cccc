import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useOps } from '../ops_controller';
import { useOpsTexts } from '../ops_words';

interface Action {
  isBusy: boolean;
  /** Sends one request at a time. A notice says how it ended. */
  run(request: () => Promise<unknown>, done?: string): void;
}

/** Sends what a person orders, and says why the gateway refused it. */
export function useAction(): Action {
  const ops = useOps();
  const texts = useOpsTexts();
  const [isBusy, setBusy] = useState(false);
  const send = async (request: () => Promise<unknown>, done: string | undefined) => {
    setBusy(true);
    try {
      await request();
      if (done !== undefined) ops.notify(done);
    } catch (error) {
      ops.notify(refusalOf(error) ?? texts.failed);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run: (request, done) => void (isBusy || send(request, done)) };
}
