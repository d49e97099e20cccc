/** Tells when roles or groups of people change. */
import type { Principal } from '../../port/principal';

export class Memberships {
  private last = '';
  private readonly listeners = new Set<() => void>();

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Notes the people of all tenants, as the store has them now. */
  note(people: ReadonlyMap<string, Principal>): void {
    const next = JSON.stringify([...people].map(([key, { person }]) => [key, person?.role, person?.groups ?? []]));
    if (next === this.last) return;
    this.last = next;
    for (const listener of this.listeners) listener();
  }
}
