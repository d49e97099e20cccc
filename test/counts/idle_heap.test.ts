/** V8 keeps what the heap has grown to while modules load, so an idle gateway would hold it for ever; see bootstrap.js. */
import { startCountingGateway } from './counting_gateway';

/** V8 holds 38 MiB, or 53 when a collection at the very end of the start finds much in use; 66 without the limit on the young generation. */
const MAX_MIB = 60;

it('holds a small heap before the first turn, and without a key no client of model servers', async () => {
  const bench = await startCountingGateway({}, { flags: '', hasModel: false });
  try {
    const { heapTotalBytes, modelModules } = await bench.readCounts();
    expect(modelModules).toEqual([]);
    expect(heapTotalBytes / 2 ** 20).toBeGreaterThan(10);
    expect(heapTotalBytes / 2 ** 20).toBeLessThan(MAX_MIB);
  } finally {
    await bench.stop();
  }
});
