/** Ends what this browser keeps and hears for a person: at a log-out, and before another tenant uses it. */
import { RequestError } from '../api/request_error';
import { forgetPerson } from '../platform/forget_person';
import { turnPushOff } from './push_device';

/** `endLogin`: ends the login at the gateway. Rejects as `endLogin` does; the browser then keeps the texts of the person. */
export async function endPerson(endLogin?: () => Promise<unknown>): Promise<void> {
  // While the login still counts.
  await turnPushOff().catch(() => undefined);
  await endLogin?.().catch((error: unknown) => {
    // The login has ended already.
    if (!(error instanceof RequestError) || error.code !== 'unauthenticated') throw error;
  });
  await forgetPerson();
}
