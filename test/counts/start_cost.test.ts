/** What an idle gateway costs. V8 keeps what the heap has grown to while modules load, so it would hold that for ever; see bootstrap.js. */
import { startCountingGateway } from './counting_gateway';

/** V8 holds 55 MiB, or 78 when a collection at the very end of the start finds much in use; 108 without the limit on the young generation. */
const MAX_MIB = 82;
/** The start takes 0.7 s of processor time, and 1 s while other tests run. */
const MAX_CPU_MS = 1_500;
/** Packages over 1 MB: the first call that needs one loads it. */
const LAZY_PACKAGES =
  /^(openai|@anthropic-ai\/.*|@google\/.*|undici|ajv|unpdf|linkedom|gpt-tokenizer|@pydantic\/.*|@modelcontextprotocol\/.*|@a2a-js\/.*|@simplewebauthn\/.*|openid-client|nodemailer|scimmy|@opentelemetry\/.*)$/;

it('starts quickly, holds a small heap before the first turn, and loads no large package', async () => {
  const bench = await startCountingGateway({}, { flags: '' });
  try {
    const { heapTotalBytes, cpuMs, packages } = await bench.readCounts();
    expect(packages).toContain('kysely');
    expect(packages.filter(name => LAZY_PACKAGES.test(name))).toEqual([]);
    expect(heapTotalBytes / 2 ** 20).toBeGreaterThan(10);
    expect(heapTotalBytes / 2 ** 20).toBeLessThan(MAX_MIB);
    expect(cpuMs).toBeGreaterThan(100);
    expect(cpuMs).toBeLessThan(MAX_CPU_MS);
  } finally {
    await bench.stop();
  }
});
