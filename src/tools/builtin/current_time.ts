import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, inLocale, textResult } from '../common';

const CurrentTimeParameters = Type.Object(
  {
    time_zone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Asia/Shanghai or Europe/Paris. Default UTC' }),
    ),
  },
  { additionalProperties: false },
);

export const currentTimeTool = defineTool({
  name: 'current_time',
  toolset: 'utility',
  label: 'Current time',
  description:
    'Gives the current date, time and weekday, to the second, in UTC and in one time zone. Use it when seconds or another zone matter.',
  whenToUse: 'The time to the second, or in another zone, is needed',
  // The runner caches results of `read`, and a cached time would be wrong.
  effect: 'idempotent',
  translations: {
    'zh-CN': {
      label: '当前时间',
      description: '返回此刻的日期、时间和星期，精确到秒，同时给出 UTC 和一个时区的时间。需要精确到秒或别的时区时使用。',
      whenToUse: '需要精确到秒的时间，或别的时区的时间',
      parameters: { time_zone: 'IANA 时区名，如 Asia/Shanghai 或 Europe/Paris。默认 UTC' },
    },
  },
  parameters: CurrentTimeParameters,
  async execute({ time_zone: timeZone = 'UTC' }, ctx) {
    const now = new Date(ctx.clock?.now() ?? Date.now());
    const utc = now.toISOString();
    const local = timeIn(timeZone, now, ctx.locale);
    if (local === undefined) {
      return errorResult(
        inLocale(
          ctx,
          `There is no time zone ${timeZone}. Use a name such as Asia/Shanghai.`,
          `没有时区 ${timeZone}。请使用 Asia/Shanghai 这样的名称。`,
        ),
      );
    }
    return textResult(`UTC: ${utc}\n${timeZone}: ${local}`, { utc, timeZone, local });
  },
});

/** Returns undefined for an unknown zone. */
function timeIn(timeZone: string, now: Date, locale: string): string | undefined {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' }).format(now);
  } catch {
    return undefined;
  }
}
