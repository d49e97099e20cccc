/** Connects a model server while the gateway runs, for the page's first minute and for programs. */
import type { Feature } from '../../feature';
import { type ConnectModelServices, ModelConnector } from './model_connector';
import { ModelProvidersController, ModelSetupController } from './routes';

export const connectModel: Feature = {
  name: 'connect_model',
  routes: [ModelProvidersController, ModelSetupController],
  install({ settings, ports, modelCatalog, modelSupervisor, auditLog }) {
    const { modelClients, configFiles, configEditor, secretStore, redactor } = ports;
    const { readSecret } = settings;
    const modelConnector = new ModelConnector({
      modelClients,
      modelCatalog,
      modelSupervisor,
      configFiles,
      configEditor,
      secretStore,
      readSecret,
      redactor,
      auditLog,
    });
    return { services: { modelConnector } satisfies ConnectModelServices };
  },
};
