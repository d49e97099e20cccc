/** The probes of model servers, with a clock that only the test advances. */

import type { ModelClient } from '../../../src/port/model_client';
import { ModelCatalog } from '../../../src/service/model/model_catalog';
import { ModelSupervisor } from '../../../src/service/model/model_supervisor';
import type { ModelSet } from '../../../src/service/model/models_file';
import { createManualClock } from '../../support/manual_clock';
import { NO_OBSERVER } from '../../support/no_observer';

const MINUTE_MS = 60_000;

function createSupervisor() {
  const clock = createManualClock();
  const probes: PromiseWithResolvers<string | undefined>[] = [];
  const client: ModelClient = {
    info: { provider: 'test', model: 'm', demo: false },
    stream: () => Promise.reject(new Error('not asked')),
    probe() {
      const probe = Promise.withResolvers<string | undefined>();
      probes.push(probe);
      return probe.promise;
    },
    listModels: async () => [],
    close: () => {},
  };
  const deps = { clients: { openClient: () => client, demo: client }, readSecret: () => undefined, contextTokens: 1_000 };
  const configured: ModelSet = { models: [{ id: 'm', model: 'm', parameters: {}, reasoning: {} }], fallback: [], source: 'test' };
  const catalogDeps = { ...deps, configured };
  const catalog = new ModelCatalog(catalogDeps);
  let change = () => {};
  const supervisor = new ModelSupervisor({
    hasTool: () => true,
    configReloads: { follow: () => {}, recordReload: async () => {}, recordRefusal: async () => {} },
    catalog,
    clock,
    observer: NO_OBSERVER,
    onError: () => {},
    configFiles: {
      readFile: async () => undefined,
      watchFile(_name: string, onChange: () => void) {
        change = onChange;
      },
    } as never,
  });
  /** Reports a change of the configuration directory; with a label the model has changed. */
  const report = (label?: string) => {
    const models = configured.models.map(model => ({ ...model, ...(label !== undefined && { label }) }));
    catalogDeps.configured = { ...configured, models };
    change();
  };
  return { supervisor, clock, probes, report };
}

const settle = () => new Promise(setImmediate);

it('probes once a minute, also when the file changed while a probe waited for its answer', async () => {
  const { supervisor, clock, probes, report } = createSupervisor();
  supervisor.start();
  report('Changed');
  await settle();
  expect(probes).toHaveLength(2);
  for (const probe of probes) probe.resolve('down');
  await settle();
  clock.advance(MINUTE_MS);
  expect(probes).toHaveLength(3);
});

it('probes no more once it was stopped, also when a probe still waited for its answer', async () => {
  const { supervisor, clock, probes } = createSupervisor();
  supervisor.start();
  supervisor.stop();
  probes[0]?.resolve('down');
  await settle();
  clock.advance(MINUTE_MS);
  expect(probes).toHaveLength(1);
});

it('asks no server when another file has changed', async () => {
  const { supervisor, probes, report } = createSupervisor();
  supervisor.start();
  report();
  await settle();
  expect(probes).toHaveLength(1);
});
