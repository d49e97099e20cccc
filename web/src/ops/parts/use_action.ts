import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useMessages } from '../../i18n/language_context';
import { useOps } from '../shared/ops_controller';

interface Action {
  isBusy: boolean;
  /** Sends one request at a time. A notice says how the request ended. */
  run(request: () => Promise<unknown>, done?: string): void;
}

/** Sends actions of a person, and shows why the gateway refused an action. */
export function useAction(): Action {
  const ops = useOps();
  const messages = useMessages();
  const [isBusy, setBusy] = useState(false);
  const send = async (request: () => Promise<unknown>, done: string | undefined) => {
    setBusy(true);
    try {
      await request();
      if (done !== undefined) ops.notify(done);
    } catch (error) {
      ops.notify(refusalOf(error) ?? messages.notRead);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run: (request, done) => void (isBusy || send(request, done)) };
}
