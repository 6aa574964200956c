"""npm run bench cluster: draft"""
import argparse, asyncio, sys, time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
from setting import table, work_folder
from cluster.parts import data, cluster
from cluster.load import Window, Work

def measure(one, work, warm, seconds):
    cpu={}
    procs=[*one.nodes, one.balancer]
    def begun():
        for p in procs: cpu[p.name]=-p.cpu_seconds()
        cpu["driver"]=-time.process_time()
    def ended():
        for p in procs: cpu[p.name]+=p.cpu_seconds()
        cpu["driver"]+=time.process_time()
    r=asyncio.run(Window(one.balancer.url, work, warm, seconds).run(begun, ended))
    return r,cpu
if __name__=="__main__":
    with work_folder() as f, data(f, 4, (3000,2000)) as d:
        print(d.slides, d.bytes)
        for regions in (0.0,1.0):
            for n in (1,2,4):
                with cluster(f/f"c{n}-{regions}", d, n, 0.15) as c:
                    r,cpu=measure(c, Work(d.slides,d.size,clients=8*n,regions=regions),4,8)
                    nodes=sum(v for k,v in cpu.items() if k[0]=="n")
                    print(n,regions,f"{r.rate:.0f}/s mean {r.mean():.3f} p95 {r.p95():.3f} node ms/answer {1e3*nodes/r.answers:.3f} balancer {1e3*cpu['balancer']/r.answers:.3f} driver {cpu['driver']/8:.2f}", {k:round(v/8,3) for k,v in cpu.items()},flush=True)
