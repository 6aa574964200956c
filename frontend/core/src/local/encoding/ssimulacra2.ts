/**
 * SSIMULACRA 2 (libjxl's version 2.1), the twin of backend/src/wavescope/ingest/quality/ssimulacra2.py: in single precision, operation by
 * operation, so that both give the same score. Only the cube root may differ in its last bit.
 */
import type { Pixels } from "./codec";

const SCALES = 6;
const MIN_SIDE = 8;
const f = Math.fround;
/** The filter from its middle outwards; beyond the picture are zeros. */
const TAPS = [0.264621105, 0.212928592, 0.109335373, 0.036011115, 0.009414368].map(f);
const C2 = f(0.0009);
const OPSIN = [
  [0.3, 0.622, 0.078],
  [0.23, 0.692, 0.078],
  [0.24342268924547819, 0.20476744424496821, 0.5518098662095535],
].map((row) => row.map(f));
const BIAS = f(0.0037930732552754493);
const ROOT_OF_BIAS = f(Math.cbrt(BIAS));
/** Of the sums in the order component, scale, norm, kind; those not listed weigh nothing. */
// biome-ignore format: a table
const WEIGHTS: readonly (readonly [number, number])[] = [
  [1, 0.0007376606707406586], [4, 0.0007793481682867309], [7, 0.0004371155730107379],
  [9, 1.1041726426657346], [10, 0.00066284834129271], [11, 0.00015231632783718752],
  [13, 0.0016406437456599754], [15, 1.8422455520539298], [16, 11.441172603757666],
  [18, 0.0007989109436015163], [19, 0.000176816438078653], [21, 1.8787594979546387],
  [22, 10.94906990605142], [24, 0.0007289346991508072], [25, 0.9677937080626833],
  [27, 0.00014003424285435884], [28, 0.9981766977854967], [29, 0.00031949755934435053],
  [30, 0.0004550992113792063], [33, 0.0013648766163243398], [39, 7.466890328078848],
  [41, 17.445833984131262], [42, 0.0006235601634041466], [45, 6.683678146179332],
  [46, 0.00037724407979611296], [47, 1.027889937768264], [48, 225.20515300849274],
  [51, 19.213238186143016], [52, 0.0011401524586618361], [53, 0.001237755635509985],
  [54, 176.39317598450694], [57, 24.43300999870476], [58, 0.28520802612117757],
  [59, 0.0004485436923833408], [63, 34.77906344483772], [64, 44.835625328877896],
  [73, 0.0008680556573291698], [79, 0.0005313191874358747], [81, 0.00016533814161379112],
  [87, 0.0004179171803251336], [88, 0.0017290828234722833], [90, 0.0020827005846636437],
  [93, 8.826982764996862], [94, 23.19243343998926], [96, 95.1080498811086],
  [97, 0.9863978034400682], [98, 0.9834382792465353], [99, 0.0012286405048278493],
  [100, 171.2667255897307], [101, 0.9807858872435379], [105, 0.0005130064588990679],
  [107, 0.00010854057858411537],
];

const LINEAR = Float32Array.from({ length: 256 }, (_, i) => {
  const value = i / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Three planes. */
interface Planes {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly Float32Array[];
}

interface Scale extends Planes {
  readonly mean: readonly Float32Array[];
  readonly square: readonly Float32Array[];
}

/** A picture with which others of its size are compared. */
export class Original {
  private readonly scales: readonly Scale[];

  constructor(pixels: Pixels) {
    this.scales = pyramid(pixels).map((one) => ({
      ...one,
      mean: one.planes.map((plane) => blurred(plane, one)),
      square: one.planes.map((plane) => blurred(product(plane, plane), one)),
    }));
  }

  /** 100 where nothing differs, below 0 for very bad pictures. */
  score(pixels: Pixels): number {
    const coded = pyramid(pixels);
    const count = this.scales.length;
    if (count === 0) return 100;
    const sums = new Float64Array(18 * count);
    this.scales.forEach((scale, s) => {
      for (let component = 0; component < 3; component += 1)
        sums.set(sumsOf(scale, coded[s]!, component), (component * count + s) * 6);
    });
    const weighted = WEIGHTS.filter(([at]) => at < sums.length);
    return rescaled(weighted.reduce((sum, [at, weight]) => sum + weight * Math.abs(sums[at]!), 0));
  }
}

function pyramid({ width, height, data }: Pixels): Planes[] {
  let linear: Planes = {
    width,
    height,
    planes: [0, 1, 2].map((c) => Float32Array.from({ length: width * height }, (_, i) => LINEAR[data[3 * i + c]!]!)),
  };
  const scales: Planes[] = [];
  while (scales.length < SCALES && Math.min(linear.width, linear.height) >= MIN_SIDE) {
    if (scales.length > 0) linear = halved(linear);
    scales.push(positiveXyb(linear));
  }
  return scales;
}

function positiveXyb({ width, height, planes: [r, g, b] }: Planes): Planes {
  const [x, y, z] = [0, 1, 2].map(() => new Float32Array(width * height)) as [Float32Array, Float32Array, Float32Array];
  const root = (row: readonly number[], i: number): number => {
    const light = f(f(f(row[0]! * r![i]!) + f(row[1]! * g![i]!)) + f(row[2]! * b![i]!));
    return f(f(Math.cbrt(f(light + BIAS))) - ROOT_OF_BIAS);
  };
  for (let i = 0; i < x.length; i += 1) {
    const [l, m, s] = [root(OPSIN[0]!, i), root(OPSIN[1]!, i), root(OPSIN[2]!, i)];
    const mean = f(f(l + m) / 2);
    x[i] = f(f(f(l - m) / 2) * 14) + f(0.42);
    y[i] = mean + f(0.01);
    z[i] = f(s - mean) + f(0.55);
  }
  return { width, height, planes: [x, y, z] };
}

/** Means of 2 x 2; an odd last row or column is repeated. */
function halved({ width, height, planes }: Planes): Planes {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const half = (plane: Float32Array): Float32Array => {
    const out = new Float32Array(w * h);
    for (let y = 0; y < h; y += 1)
      for (let x = 0; x < w; x += 1) {
        const [top, bottom] = [2 * y * width, Math.min(2 * y + 1, height - 1) * width];
        const [left, right] = [2 * x, Math.min(2 * x + 1, width - 1)];
        out[y * w + x] =
          f(f(plane[top + left]! + plane[bottom + left]!) + f(plane[top + right]! + plane[bottom + right]!)) * 0.25;
      }
    return out;
  };
  return { width: w, height: h, planes: planes.map(half) };
}

function product(a: Float32Array, b: Float32Array): Float32Array {
  const out = new Float32Array(a.length);
  for (let i = 0; i < out.length; i += 1) out[i] = a[i]! * b[i]!;
  return out;
}

/** The Gaussian filter, down and across. */
function blurred(plane: Float32Array, { width, height }: Planes): Float32Array {
  return along(along(plane, width, height, width, 1), height, width, 1, width);
}

/** `count` lines of `length` values: from one value of a line to the next are `step` places, from one line to the next `next`. */
function along(plane: Float32Array, count: number, length: number, step: number, next: number): Float32Array {
  const out = new Float32Array(plane.length);
  const line = new Float32Array(length + 8);
  const [t0, t1, t2, t3, t4] = TAPS as [number, number, number, number, number];
  for (let n = 0; n < count; n += 1) {
    for (let i = 0, at = n * next; i < length; i += 1, at += step) line[i + 4] = plane[at]!;
    for (let i = 4, at = n * next; i < length + 4; i += 1, at += step) {
      let sum = f(line[i]! * t0);
      sum = f(sum + f(f(line[i - 1]! + line[i + 1]!) * t1));
      sum = f(sum + f(f(line[i - 2]! + line[i + 2]!) * t2));
      sum = f(sum + f(f(line[i - 3]! + line[i + 3]!) * t3));
      out[at] = f(sum + f(f(line[i - 4]! + line[i + 4]!) * t4));
    }
  }
  return out;
}

/** Means, then fourth norms, of structure lost, edges added, edges lost. */
function sumsOf(scale: Scale, coded: Planes, component: number): number[] {
  const before = scale.planes[component]!;
  const after = coded.planes[component]!;
  const [meanBefore, squareBefore] = [scale.mean[component]!, scale.square[component]!];
  const mean = blurred(after, coded);
  const square = blurred(product(after, after), coded);
  const both = blurred(product(before, after), coded);
  const sums = [0, 0, 0, 0, 0, 0];
  const add = (kind: number, value: number): void => {
    const squared = f(value * value);
    sums[kind]! += value;
    sums[kind + 3]! += squared * squared;
  };
  for (let i = 0; i < after.length; i += 1) {
    const [m, n] = [meanBefore[i]!, mean[i]!];
    const apart = f(m - n);
    const difference = f(1 - f(apart * apart));
    const common = f(f(2 * f(both[i]! - f(m * n))) + C2);
    const each = f(f(f(squareBefore[i]! - f(m * m)) + f(square[i]! - f(n * n))) + C2);
    add(0, Math.max(f(1 - f(f(difference * common) / each)), 0));
    const edges = f(f(f(1 + Math.abs(f(after[i]! - n))) / f(1 + Math.abs(f(before[i]! - m)))) - 1);
    add(1, Math.max(edges, 0));
    add(2, Math.max(-edges, 0));
  }
  return sums.map((sum, at) => (at < 3 ? sum / after.length : (sum / after.length) ** 0.25));
}

function rescaled(sum: number): number {
  const scaled = sum * 0.9562382616834844;
  const value = 6.248496625763138e-5 * scaled ** 3 - 0.020884521182843837 * scaled ** 2 + 2.326765642916932 * scaled;
  return value > 0 ? 100 - 10 * value ** 0.6276336467831387 : 100;
}
