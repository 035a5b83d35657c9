import defaults from 'tailwindcss/defaultTheme'

/** Disabled to keep the style sheet small. Write opacity as `ink/70` and movement as `[translate:100%]`. */
const UNUSED = [
  // Replaced by src/styles/base.css.
  'preflight',
  ...[
    'backgroundOpacity',
    'textOpacity',
    'borderOpacity',
    'divideOpacity',
    'placeholderOpacity',
    'ringOpacity'
  ],
  ...[
    'container',
    'borderSpacing',
    'touchAction',
    'contain',
    'gradientColorStops',
    'ringWidth',
    'ringOffsetWidth'
  ],
  'boxShadow',
  // Sets a variable on each element. Write `[scroll-snap-type:x]`.
  'scrollSnapType',
  ...['translate', 'rotate', 'skew', 'scale', 'transform', 'fontVariantNumeric'],
  ...[
    'filter',
    'blur',
    'brightness',
    'contrast',
    'dropShadow',
    'grayscale',
    'hueRotate',
    'invert',
    'saturate',
    'sepia'
  ],
  ...[
    'backdropFilter',
    'backdropBlur',
    'backdropBrightness',
    'backdropContrast',
    'backdropGrayscale'
  ],
  ...['backdropHueRotate', 'backdropInvert', 'backdropOpacity', 'backdropSaturate', 'backdropSepia']
]

/** These pages use tailwind.islands.config.mjs. */
const WITH_ISLANDS = [
  './src/pages/{cart,discounted-products,login,my-profile,orders}.astro',
  './src/pages/{admin,orders}/*.astro',
  './src/pages/products/index.astro',
  './src/layouts/{Admin,Island,PrivatePage}.astro',
  './src/components/shell/AdminHeader.astro'
]
export const SHARED = [
  './src/{pages,layouts,components}/**/*.astro',
  './src/lib/{art/icons,product}.ts',
  './src/islands/catalog/ProductCard.tsx'
]

/** Tailwind's own shadow utilities also set five variables for rings. */
const SHADOWS = {
  '.shadow-none': { boxShadow: 'none' },
  '.shadow-soft': { boxShadow: '0 1px 2px rgb(42 24 16 / 0.05), 0 8px 24px rgb(42 24 16 / 0.07)' },
  '.shadow-lg': { boxShadow: '0 2px 4px rgb(42 24 16 / 0.06), 0 14px 32px rgb(42 24 16 / 0.13)' }
}

/** `--rem` of src/styles/base.css does not grow with the text of phones. */
const SPACING = Object.fromEntries(
  Object.entries(defaults.spacing).map(([name, length]) => [
    name,
    length.endsWith('rem') ? `calc(${parseFloat(length)} * var(--rem))` : length
  ])
)

export default {
  content: [...SHARED, ...WITH_ISLANDS.map(page => `!${page}`)],
  corePlugins: Object.fromEntries(UNUSED.map(name => [name, false])),
  theme: {
    spacing: SPACING,
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      cream: { DEFAULT: '#FFF9F0', deep: '#FBEFDD' },
      paper: '#FFFFFF',
      ink: { DEFAULT: '#2A1810', deep: '#1D0E08' },
      chilli: { DEFAULT: '#9B2C1F', deep: '#7E2016' },
      turmeric: '#F2B233',
      leaf: '#2F6B43',
      brass: '#B8862F',
      // Deals and festivals. Small text in turmeric needs the deep ground.
      peacock: { DEFAULT: '#0F5C63', deep: '#0B474D' },
      // The footer.
      mahogany: '#3D130D',
      // The colour of a category, which base.css sets on [data-tint].
      tint: { DEFAULT: 'rgb(var(--tint))', soft: 'rgb(var(--tint) / 0.14)' },
      status: { pending: '#F7D774', packed: '#BFD8F2', delivered: '#BFE3CB', other: '#E4DFDA' }
    },
    fontFamily: {
      sans: ['Anek', 'Anek Roboto', 'Anek Arial', 'system-ui', 'sans-serif'],
      serif: ['var(--serif)']
    },
    fontSize: {
      sm: ['0.875rem', '1.25rem'],
      base: ['1rem', '1.5rem'],
      lg: ['1.125rem', '1.75rem'],
      // The widths of the screen keep long words of headings whole on phones with larger text.
      xl: ['min(1.375rem, 9vw)', '1.75rem'],
      '2xl': ['min(1.75rem, 11vw)', '2.125rem'],
      '3xl': ['min(2.5rem, 16vw)', { lineHeight: '2.75rem', letterSpacing: '-0.01em' }],
      '4xl': ['3.5rem', { lineHeight: '3.75rem', letterSpacing: '-0.01em' }]
    },
    extend: {
      borderRadius: { card: '1rem' },
      maxWidth: { page: '80rem', prose: '42rem' },
      transitionDuration: { DEFAULT: '200ms' },
      width: { tile: 'min(9rem, 75vw - 6rem)' },
      minHeight: { target: '44px' },
      minWidth: { target: '44px' },
      // One column if the text is so large that two would be too narrow.
      gridTemplateColumns: { 2: 'repeat(auto-fill, minmax(max(7.5rem, 40%), 1fr))' }
    }
  },
  plugins: [({ addUtilities }) => addUtilities(SHADOWS)]
}
