/** DOOR 2, speech to text. */
import { Controller } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { principalOf, queryOf } from '../../controller/http_request';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';
import type { TranscriptionService, TranscriptionServices } from './transcription_service';

const { Post } = routesWith({ scope: 'chat', tag: 'models' });

const TranscriptionQuery = closedObject({
  language: Optional.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
    ...says(
      'the language that is spoken, such as en or zh-CN; left out: the model finds out',
      '所说的语言，例如 en 或 zh-CN；省略时由模型判断',
    ),
  }),
});

const Transcription = Type.Object({ text: Type.String(says('what was said; empty for silence', '所说的内容；没有声音时为空')) });

@Controller('/api/v1')
export class TranscriptionController extends RestController {
  @InjectService<TranscriptionServices>() transcriptionService!: TranscriptionService;

  @Post('/transcriptions', 'createTranscription', {
    summary: { en: 'Turn a recording into text', 'zh-CN': '把录音转成文字' },
    description: {
      en: 'The body is the recording, with its type as content-type, such as audio/wav, at most 25 MiB. It goes to the transcription model of the operator; the gateway keeps neither the sound nor the text. 404 when there is no such model.',
      'zh-CN':
        '请求体即录音，以 content-type 注明类型，例如 audio/wav，最大 25 MiB。录音会发给运维人员指定的语音转写模型；网关不保存声音和文字。没有该模型时返回 404。',
    },
    query: TranscriptionQuery,
    upload: ['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'audio/flac'],
    answers: done(named('Transcription', Transcription)),
    errors: [
      'not_found',
      'rate_limited',
      'quota_exceeded',
      'store_unavailable',
      'model_unreachable',
      'model_timeout',
      'model_overloaded',
      'model_refused',
      'model_bad_response',
    ],
  })
  async create() {
    const { language } = queryOf(this.ctx, TranscriptionQuery);
    const { req, res } = this.ctx;
    const gone = new AbortController();
    res.once('close', () => gone.abort(new Error('The caller went away.')));
    const mediaType = this.ctx.get('content-type').split(';')[0]?.trim().toLowerCase() ?? '';
    const recording = { mediaType, language, body: req.iterator({ destroyOnReturn: false }) };
    this.ctx.status = 200;
    try {
      return { text: await this.transcriptionService.transcribe(principalOf(this.ctx), recording, gone.signal) };
    } finally {
      // Reads the rest of this request, because the next request on the connection comes behind it.
      req.resume();
    }
  }
}
