import { Type } from '@sinclair/typebox';
import { type Weather, WeatherServiceError } from '../../port/weather';
import { WebError } from '../../port/web';
import { placeName } from '../../utils/place_name';
import { defineTool, errorResult, inLocale, type ToolContext, textResult } from '../common';

const GetWeatherParameters = Type.Object(
  { city: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the city, in any language' }) },
  { additionalProperties: false },
);

export const getWeatherTool = defineTool({
  name: 'get_weather',
  toolset: 'data',
  label: 'Weather',
  description:
    'Gives the weather of a city now and for three days: temperature, humidity, wind, chance of rain (source: Open-Meteo). Among places of the same name it takes the largest; give the name alone. ' +
    'When the answer is marked as simulated, the numbers are made up: say so to the person.',
  whenToUse: 'The weather of a city is asked for',
  effect: 'read',
  reaches: 'outside',
  timeoutMs: 40_000,
  translations: {
    'zh-CN': {
      label: '天气',
      description:
        '查询某个城市现在和三天内的天气：气温、湿度、风速、降水概率（来源 Open-Meteo）。同名地点取最大的一个；只写城市名。' +
        '结果标明为模拟数据时，数字是编造的：要告诉用户。',
      whenToUse: '问某个城市的天气',
      parameters: { city: '城市名称，任何语言均可，如：北京' },
    },
  },
  parameters: GetWeatherParameters,
  async execute({ city }, ctx) {
    if (!ctx.weather)
      return errorResult(
        inLocale(ctx, 'The weather service cannot be reached: there is no web access here.', '无法查询天气：此处不能访问网络。'),
      );
    try {
      const weather = await ctx.weather.findWeather(city, ctx.locale === 'zh-CN' ? 'zh' : 'en', ctx.signal);
      if (!weather) {
        const name = placeName(city);
        return errorResult(inLocale(ctx, `No city called ${name} is known. Try its English name.`, `找不到城市 ${name}。请换一种写法。`));
      }
      return weatherResult(weather, ctx);
    } catch (thrown) {
      if (!(thrown instanceof WebError) && !(thrown instanceof WeatherServiceError)) throw thrown;
      const en = `The weather cannot be told now: ${thrown.message} Do not make up numbers.`;
      const zh = `现在无法查询天气：${thrown.messageZh}不要编造数字。`;
      return { ...errorResult(inLocale(ctx, en, zh)), isRetryable: thrown.isTransient };
    }
  },
});

function weatherResult(weather: Weather, ctx: ToolContext) {
  const { place, time, temperature, feelsLike, humidity, windSpeed, code, days, isSimulated } = weather;
  const label = isSimulated ? [inLocale(ctx, 'SIMULATED DATA, not real weather:', '模拟数据，并非真实天气：')] : [];
  const now = inLocale(
    ctx,
    `${place}, ${time} local time: ${sky(code, ctx)}, ${temperature} °C (feels like ${feelsLike} °C), humidity ${humidity} %, wind ${windSpeed} km/h`,
    `${place}，当地时间 ${time}：${sky(code, ctx)}，${temperature} °C（体感 ${feelsLike} °C），湿度 ${humidity}%，风速 ${windSpeed} km/h`,
  );
  const ahead = days.map(day =>
    inLocale(
      ctx,
      `${day.date}: ${sky(day.code, ctx)}, ${day.low} to ${day.high} °C, chance of rain ${day.rainChance} %`,
      `${day.date}：${sky(day.code, ctx)}，${day.low} 至 ${day.high} °C，降水概率 ${day.rainChance}%`,
    ),
  );
  return textResult([...label, now, ...ahead].join('\n'), { ...weather });
}

/** Describes a weather code of WMO table 4677. */
function sky(code: number, ctx: ToolContext): string {
  const words = SKIES.find(({ upTo }) => code <= upTo);
  return words ? inLocale(ctx, words.en, words.zh) : inLocale(ctx, `weather code ${code}`, `天气代码 ${code}`);
}

const SKIES = [
  { upTo: 0, en: 'clear', zh: '晴' },
  { upTo: 2, en: 'partly cloudy', zh: '多云' },
  { upTo: 3, en: 'overcast', zh: '阴' },
  { upTo: 48, en: 'fog', zh: '雾' },
  { upTo: 57, en: 'drizzle', zh: '毛毛雨' },
  { upTo: 67, en: 'rain', zh: '雨' },
  { upTo: 77, en: 'snow', zh: '雪' },
  { upTo: 82, en: 'rain showers', zh: '阵雨' },
  { upTo: 86, en: 'snow showers', zh: '阵雪' },
  { upTo: 99, en: 'thunderstorm', zh: '雷暴' },
] as const;
