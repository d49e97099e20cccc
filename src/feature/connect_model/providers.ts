/** The model servers that people use most, so that they need to know no address. */

export interface Provider {
  id: string;
  label: string;
  /** Base of the API. Absent: the person enters it. */
  baseUrl?: string;
  /** The variable that the provider's own documents use for its key. Absent: the server needs no key. */
  keyName?: string;
  /** The page on which people get a key. */
  keyPage?: string;
}

/** Those without `keyName` run on the machine of the gateway. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyName: 'OPENAI_API_KEY',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyName: 'ANTHROPIC_API_KEY',
    keyPage: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'gemini',
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyName: 'GEMINI_API_KEY',
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyName: 'DEEPSEEK_API_KEY',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyName: 'OPENROUTER_API_KEY',
    keyPage: 'https://openrouter.ai/keys',
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyName: 'MISTRAL_API_KEY',
    keyPage: 'https://console.mistral.ai/api-keys',
  },
  { id: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { id: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { id: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
  { id: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { id: 'other', label: 'Other', keyName: 'MODEL_API_KEY' },
];
