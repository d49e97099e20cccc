/** Headers about rate limits for clients of model APIs, each with the names of its vendor. */
import type { TokenState } from '../../service/limits/rate_limits';
import type { DoorForm } from '../door_form';

/** Returns the function that makes the headers: of the limit with the fewest requests left, and of the tokens of the day when they are limited. */
export function modelRateHeaders(
  toHeaders: (what: 'requests' | 'tokens', state: TokenState) => Record<string, string>,
): NonNullable<DoorForm['rateHeaders']> {
  return (states, tokens) => {
    const [tightest] = [...states].sort((a, b) => a.remaining - b.remaining);
    return { ...(tightest && toHeaders('requests', tightest)), ...(tokens && toHeaders('tokens', tokens)) };
  };
}
