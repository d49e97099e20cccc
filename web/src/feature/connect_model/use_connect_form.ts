import { useEffect, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { checkServer, connectModel, listProviders, type ModelProvider, type ServerChoice } from './connect_api';

interface Fields {
  provider: string;
  baseUrl: string;
  apiKey: string;
  model: string;
}

export interface ConnectFormState {
  fields: Fields;
  /** Undefined while they load. */
  providers: readonly ModelProvider[] | undefined;
  provider: ModelProvider | undefined;
  /** The models of the checked server; undefined until it was checked. */
  models: readonly string[] | undefined;
  isBusy: boolean;
  /** A sentence for the person. */
  problem: string | undefined;
  change(fields: Partial<Fields>): void;
  /** Checks the server or, once it was checked, connects the model. */
  submit(): void;
}

/** Keeps the fields of the form. `failed`: the sentence for a gateway that cannot be reached. */
export function useConnectForm(onConnected: () => void, failed: string): ConnectFormState {
  const [fields, setFields] = useState<Fields>({ provider: 'openai', baseUrl: '', apiKey: '', model: '' });
  const [providers, setProviders] = useState<readonly ModelProvider[]>();
  const [models, setModels] = useState<readonly string[]>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const provider = providers?.find(({ id }) => id === fields.provider);

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch(error => setProblem(refusalOf(error) ?? failed));
    setBusy(false);
  };
  const loadProviders = async () => {
    const found = await listProviders();
    setProviders(found);
    // A server that runs here needs no key, so it is the shortest way.
    const local = found.find(({ models: running }) => running && running.length > 0);
    if (local) setFields(before => ({ ...before, provider: local.id }));
  };
  useEffect(() => void attempt(loadProviders), []);

  const check = async () => {
    const { ok, models: found, problem: said } = await checkServer(choiceOf(fields, provider));
    setProblem(said?.message);
    if (!ok) return;
    setModels(found);
    const [only] = found.length === 1 ? found : [];
    if (only !== undefined) setFields(before => ({ ...before, model: only }));
  };
  const connect = async () => {
    const choice = { ...choiceOf(fields, provider), model: fields.model.trim() };
    const { ok, problem: said } = await checkServer(choice);
    if (!ok) return setProblem(said?.message);
    await connectModel(choice);
    onConnected();
  };

  return {
    fields,
    providers,
    provider,
    models,
    isBusy,
    problem,
    change(changed) {
      const emptied = changed.provider === undefined ? {} : { baseUrl: '', apiKey: '' };
      setFields(before => ({ ...before, ...changed, ...emptied }));
      setProblem(undefined);
      // Another server has other models.
      if (changed.model === undefined) setModels(undefined);
    },
    submit: () => void attempt(models === undefined ? check : connect),
  };
}

function choiceOf({ provider, baseUrl, apiKey }: Fields, known: ModelProvider | undefined): ServerChoice {
  return {
    provider,
    baseUrl: baseUrl.trim() || known?.baseUrl,
    apiKey: apiKey.trim() || undefined,
  };
}
