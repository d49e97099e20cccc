/** The contract of the bus between nodes; each transport runs this suite. */
import type { NodeBus } from '../../src/port/node_bus';
import { until } from '../support/until';

/** Opens a node of one network; the suite closes it. */
export function describeNodeBusContract(name: string, openNode: (self: string) => NodeBus): void {
  describe(`${name} as a bus between nodes`, () => {
    const open: NodeBus[] = [];
    afterEach(async () => {
      await Promise.all(open.splice(0).map(bus => bus.close()));
    });
    const join = (self: string) => {
      const bus = openNode(self);
      open.push(bus);
      const heard: [unknown, string][] = [];
      bus.subscribe('jobs', (message, from) => heard.push([message, from]));
      return { bus, heard };
    };

    /** Waits until the nodes hear each other: a text that is sent before may be lost. */
    const meet = async (...nodes: NodeBus[]) => {
      for (const [i, bus] of nodes.entries()) bus.announce('approvers', `node ${i}`);
      await until(() => nodes.every((bus, i) => nodes.every((_, j) => i === j || bus.isAnnounced('approvers', `node ${j}`))));
    };

    test('brings each message to every other node, in order', async () => {
      const [a, b, c] = [join('a'), join('b'), join('c')];
      await meet(a.bus, b.bus, c.bus);
      for (let i = 0; i < 300; i++) a.bus.publish('jobs', { i, text: 'x'.repeat(100) });
      await until(() => b.heard.length === 300 && c.heard.length === 300);
      expect(b.heard.map(([message, from]) => [(message as { i: number }).i, from])).toEqual(
        Array.from({ length: 300 }, (_, i) => [i, 'a']),
      );
      expect(c.heard).toEqual(b.heard);
      expect(a.heard).toEqual([]);
    });

    test('carries any text up to its limit, and says that a longer one is not sent', async () => {
      const [a, b] = [join('a'), join('b')];
      await meet(a.bus, b.bus);
      const text = '\u0001 \'\\ "花" \u2028 '.repeat(200).slice(0, 3_000);
      expect(a.bus.publish('jobs', { text })).toBe(true);
      expect(a.bus.publish('jobs', { text: '花'.repeat(a.bus.maxBytes) })).toBe(false);
      expect(a.bus.publish('jobs', { last: true })).toBe(true);
      await until(() => b.heard.length === 2);
      expect(b.heard).toEqual([
        [{ text }, 'a'],
        [{ last: true }, 'a'],
      ]);
    });

    test('knows what other nodes announce, also what they announced before it came, until they end it', async () => {
      const [a, b] = [join('a'), join('b')];
      const begun: string[] = [];
      b.bus.onAnnounced('readers', key => begun.push(key));
      await meet(a.bus, b.bus);
      const [first, second] = [a.bus.announce('readers', 'ses_1'), a.bus.announce('readers', 'ses_1')];
      await until(() => b.bus.isAnnounced('readers', 'ses_1'));
      expect(begun).toEqual(['ses_1']);
      expect(a.bus.isAnnounced('readers', 'ses_1')).toBe(false);
      const late = join('late');
      await until(() => late.bus.isAnnounced('readers', 'ses_1'));
      first();
      first();
      second();
      await until(() => !b.bus.isAnnounced('readers', 'ses_1'));
    });
  });
}
