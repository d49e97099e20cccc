/** Settings of the models that help beside the chat model: the embedding model and the transcription model. */
import { headerKey, httpAddress, text } from './setting_types';

export const HELPER_MODELS = {
  NETA_EMBEDDING_MODEL: text({
    section: 'model',
    isCommon: true,
    en: 'name of an embedding model: memories and tools are then found by meaning too; left out: by words alone ([memory](docs/guides/memory.md))',
    zh: '嵌入模型的名称：设置后也按含义查找记忆和工具；省略时只按字词（[记忆](docs/guides/memory.zh-CN.md)）',
  }),
  NETA_EMBEDDING_BASE_URL: httpAddress('NETA_EMBEDDING_BASE_URL', 'http://127.0.0.1:8000/v1', {
    section: 'model',
    en: 'server of the embedding model, when it is not that of `OPENAI_BASE_URL`; it does not get `OPENAI_API_KEY`',
    zh: '嵌入模型的服务，与 `OPENAI_BASE_URL` 不同时填写；它不会收到 `OPENAI_API_KEY`',
  }),
  NETA_EMBEDDING_API_KEY: headerKey({
    section: 'model',
    en: 'key of the embedding model; left out: `OPENAI_API_KEY` for the same server, none for another one',
    zh: '嵌入模型的密钥；省略时，同一服务使用 `OPENAI_API_KEY`，其他服务不使用密钥',
  }),
  NETA_TRANSCRIPTION_MODEL: text({
    section: 'model',
    isCommon: true,
    en: 'name of a transcription model, such as `whisper-1`: the chat page then records what a person says, and the gateway sends it to this model ([voice](docs/guides/chat.md#voice)); left out: browsers that can recognise speech do it',
    zh: '语音转写模型的名称，例如 `whisper-1`：设置后聊天页面录下人说的话，由网关发给该模型（[语音](docs/guides/chat.zh-CN.md#语音)）；省略时由能识别语音的浏览器完成',
  }),
  NETA_TRANSCRIPTION_BASE_URL: httpAddress('NETA_TRANSCRIPTION_BASE_URL', 'http://127.0.0.1:8000/v1', {
    section: 'model',
    en: 'server of the transcription model, when it is not that of `OPENAI_BASE_URL`; it does not get `OPENAI_API_KEY`',
    zh: '语音转写模型的服务，与 `OPENAI_BASE_URL` 不同时填写；它不会收到 `OPENAI_API_KEY`',
  }),
  NETA_TRANSCRIPTION_API_KEY: headerKey({
    section: 'model',
    en: 'key of the transcription model; left out: `OPENAI_API_KEY` for the same server, none for another one',
    zh: '语音转写模型的密钥；省略时，同一服务使用 `OPENAI_API_KEY`，其他服务不使用密钥',
  }),
};
