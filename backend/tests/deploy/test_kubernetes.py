"""The folder for Kubernetes: each overlay renders and is valid, and its pods are closed and end in order (CL75)."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from wavescope.config import all_settings

FOLDER = Path(__file__).parents[3] / "shared" / "deploy" / "kubernetes"
OVERLAYS = ("small", "cluster")
VERSION = "1.31"  # of Kubernetes
SETTINGS = {setting.environment for setting in all_settings()}
TOOLS = Path.home() / ".cache" / "wavescope" / "tools"


@cache
def rendered(overlay: str) -> list[dict[str, Any]]:
    """The objects of an overlay. Skips where kustomize is not installed."""
    program = shutil.which("kustomize") or shutil.which("kustomize", path=str(TOOLS))
    if program is None:
        pytest.skip("kustomize is not installed: go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.1")
    command = [program, "build", str(FOLDER / "overlays" / overlay)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return list(yaml.safe_load_all(done.stdout))


def of_kind(overlay: str, kind: str) -> list[dict[str, Any]]:
    return [one for one in rendered(overlay) if one["kind"] == kind]


def pods(overlay: str) -> list[dict[str, Any]]:
    return [one["spec"]["template"]["spec"] for one in of_kind(overlay, "Deployment")]


def node(overlay: str) -> dict[str, Any]:
    """The container of the nodes."""
    (found,) = (pod for pod in pods(overlay) if pod["containers"][0]["name"] == "wavescope")
    container: dict[str, Any] = found["containers"][0]
    assert found["terminationGracePeriodSeconds"] >= 60
    return container


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_object_is_valid_cl75(overlay: str) -> None:
    for one in rendered(overlay):
        kubernetes_validate.validate(one, VERSION, strict=True)
    kinds = {one["kind"] for one in rendered(overlay)}
    assert {"Deployment", "Service", "Ingress", "PodDisruptionBudget", "ConfigMap"} <= kinds
    assert ("HorizontalPodAutoscaler" in kinds) == (overlay == "cluster")
    assert "Secret" not in kinds


def test_a_wrong_field_is_noticed_cl75() -> None:
    (one,) = of_kind("small", "Service")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**one, "spec": {**one["spec"], "prots": []}}, VERSION, strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_pod_is_root_or_writes_to_its_image_cl75(overlay: str) -> None:
    for pod in pods(overlay):
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False  # its variables would look like settings
        for container in pod["containers"]:
            context = container["securityContext"]
            assert (context["readOnlyRootFilesystem"], context["allowPrivilegeEscalation"]) == (True, False)
            assert context["capabilities"]["drop"] == ["ALL"]
            assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_node_is_ready_with_its_catalog_lives_without_it_and_ends_in_order_cl75(overlay: str) -> None:
    container = node(overlay)
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert container["lifecycle"]["preStop"]["exec"]["command"][0] == "sleep"
    (budget,) = of_kind(overlay, "PodDisruptionBudget")
    assert budget["spec"]["maxUnavailable"] == 1


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_settings_exist_and_secrets_are_named_alone_cl75(overlay: str) -> None:
    text = yaml.safe_dump_all(rendered(overlay))
    assert set(re.findall(r"WAVESCOPE_\w+", text)) <= SETTINGS
    references = [list(one) for one in node(overlay)["envFrom"]]
    assert references == [["configMapRef"], ["secretRef"]]
    (settings,) = of_kind(overlay, "ConfigMap")
    assert not [name for name in settings["data"] if "SECRET" in name or "CATALOG" in name]


def test_a_node_knows_its_own_name_and_address_cl75() -> None:
    given = {one["name"]: one for one in node("cluster")["env"]}
    assert given["WAVESCOPE_NODE_NAME"]["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"
    assert given["WAVESCOPE_NODE_URL"]["value"] == "http://$(POD_IP):8000"
    assert list(given).index("POD_IP") < list(given).index("WAVESCOPE_NODE_URL")  # else it is not filled in


@pytest.mark.parametrize(
    ("overlay", "scheduler"), [("small", None), ("cluster", "tcp://wavescope-dask-scheduler:8786")]
)
def test_nodes_import_on_dask_where_there_is_one_cl75(overlay: str, scheduler: str | None) -> None:
    (settings,) = of_kind(overlay, "ConfigMap")
    assert settings["data"].get("WAVESCOPE_DASK_SCHEDULER") == scheduler
    names = {one["metadata"]["name"]: one for one in of_kind(overlay, "Service")}
    ports = names.get("wavescope-dask-scheduler", {"spec": {"ports": []}})["spec"]["ports"]
    assert [port["port"] for port in ports][:1] == ([8786] if scheduler else [])
