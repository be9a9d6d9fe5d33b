// Writes the page of the benchmarks' history: node page.js HISTORY PAGE
// One chart for each workload and size: the ratio to the yardstick over the commits. The
// page holds its data and uPlot, and asks nobody for anything.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [history, page] = process.argv.slice(2)
const points = readFileSync(history, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line))
const library = (file) => readFileSync(createRequire(import.meta.url).resolve(`uplot/dist/${file}`), 'utf8')

const titles = {
  'by-id': 'A vehicle by id', list: 'List of 50', deep: 'Page 1000', plate: 'Substring of the plate', brand: 'List of a brand', count: 'Count of a brand',
  search: 'Semantic search', 'search-rare': 'Semantic search in a rare brand', create: 'Creation',
}

// charts by size: first the one that most goals are set for
const sizes = new Map()
for (const point of points) {
  const charts = sizes.get(point.size) ?? new Map()
  sizes.set(point.size, charts)
  const name = `${titles[point.workload] ?? point.workload}, × ${point.of}`
  const chart = charts.get(name) ?? { name, points: [] }
  charts.set(name, chart)
  chart.points.push(point)
}
for (const charts of sizes.values()) {
  for (const chart of charts.values()) {
    chart.points.sort((a, b) => a.date.localeCompare(b.date))
    chart.goal = chart.points.findLast((point) => point.goal)?.goal
  }
}
const goals = ({ charts }) => charts.flatMap((chart) => chart.points).filter((point) => point.goal).length
const sections = [...sizes].map(([size, charts]) => ({ size, charts: [...charts.values()] })).sort((a, b) => goals(b) - goals(a))

const data = JSON.stringify(sections).replaceAll('<', '\\u003c')

writeFileSync(page, `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Benchmarks over the commits</title>
<style>${library('uPlot.min.css')}
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; } p { max-width: 46rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; } figcaption { font-weight: 600; } figcaption small { display: block; font-weight: 400; color: #555; }
</style>
<h1>Benchmarks over the commits</h1>
<p>The service's rate as a multiple of its yardstick's in the same round, the median of the rounds: only this compares from day to
day. Each point is a commit; the dashed line is the goal. Higher is better.</p>
<main></main>
<script>${library('uPlot.iife.min.js')}</script>
<script>
const sections = ${data}
const make = (parent, tag, text = '') => parent.appendChild(Object.assign(document.createElement(tag), { textContent: text }))
const draw = []
for (const { size, charts } of sections) {
  make(document.querySelector('main'), 'h2', size)
  const grid = make(document.querySelector('main'), 'div')
  grid.className = 'charts'
  for (const { name, points, goal } of charts) {
    const figure = make(grid, 'figure'), caption = make(figure, 'figcaption', name)
    const told = make(caption, 'small')
    const tell = (i) => {
      const { commit, date, ratio, rate } = points[i]
      told.textContent = [ratio, rate && rate.toLocaleString('en') + '/s', goal && 'goal ' + goal, commit, date.slice(0, 10)].filter(Boolean).join(' · ')
    }
    tell(points.length - 1)
    const drawGoal = ({ ctx, bbox, valToPos }) => {
      if (!goal) return
      const y = valToPos(goal, 'y', true)
      ctx.save()
      ctx.strokeStyle = '#b35900'
      ctx.setLineDash([8, 6])
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
      ctx.restore()
    }
    const label = (i) => points[i]?.commit ?? ''
    draw.push(() => {
      const plot = new uPlot({
        width: figure.clientWidth, height: 190, legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { drawSeries: [drawGoal], setCursor: [(u) => tell(u.cursor.idx ?? points.length - 1)] },
        scales: {
          x: { time: false, range: [-0.5, points.length - 0.5] }, // commits, not days: evenly apart
          y: { range: (_, __, most) => [0, Math.max(most, goal ?? 0) * 1.15] },
        },
        axes: [{ splits: () => points.map((_, i) => i), values: (_, at) => at.map(label), space: 70 }, { size: 45 }],
        series: [
          {},
          { stroke: '#1f6feb', width: 2, points: { show: true, size: 7 } },
        ],
      }, [points.map((_, i) => i), points.map((p) => p.ratio)], figure)
      addEventListener('resize', () => plot.setSize({ width: figure.clientWidth, height: 190 }))
    })
  }
}
draw.forEach((one) => one()) // when the grid has its columns
</script>
</html>
`)
console.log(page)
