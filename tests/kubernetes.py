"""What deploy/kubernetes asks of a cluster, looked at without one.

Each resource is held against the schemas of Kubernetes, in the first release that has all of them and in the
newest that the validator knows; kustomize puts them together, where kubectl is installed; and what the pods
are told is compared with what the image and the settings know.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import kubernetes_validate
import yaml

from tests.running import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
IMAGE = ROOT / "deploy" / "containers"
OLDEST = "1.29"


def main() -> None:
    kustomization = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert files == set(kustomization["resources"]), files ^ set(kustomization["resources"])
    texts = [(FOLDER / one).read_text() for one in kustomization["resources"]]
    if kubectl := shutil.which("kubectl"):
        texts.append(
            subprocess.run([kubectl, "kustomize", FOLDER], capture_output=True, text=True, check=True).stdout
        )
    else:
        print("no kubectl: kustomize has not put them together")
    resources = [one for text in texts for one in yaml.safe_load_all(text)]
    for one in resources:
        for release in (OLDEST, kubernetes_validate.latest_version()):
            kubernetes_validate.validate(one, release, strict=True)
    own = resources if not kubectl else resources[: len(resources) // 2]
    for one in own:
        for pod in pods(one):
            check_pod(one["metadata"]["name"], pod)
    check_selectors(own)
    check_settings(kustomization)
    print(f"{len(resources)} resources: as {OLDEST} and {kubernetes_validate.latest_version()} have them")


def pods(resource: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "template" in resource.get("spec", {}):
        yield resource["spec"]["template"]["spec"]


def check_pod(name: str, pod: dict[str, Any]) -> None:
    """Nobody's rights, and the commands that the image has."""
    user = int(re.search(r"--uid (\d+)", (IMAGE / "Containerfile").read_text()).group(1))  # type: ignore[union-attr]
    assert pod["securityContext"]["runAsNonRoot"], name
    assert pod["securityContext"]["runAsUser"] == user, name
    assert pod["automountServiceAccountToken"] is False, name
    commands = set(re.findall(r"^  ([a-z]+)\)$", (IMAGE / "run").read_text(), re.MULTILINE)) | {"migrate"}
    for container in pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"], name
        assert not rights["allowPrivilegeEscalation"], name
        assert rights["capabilities"] == {"drop": ["ALL"]}, name
        assert set(container["args"]) <= commands, (name, container["args"])
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}, name
        asked = {probe: container[probe]["exec"]["command"][0] for probe in container if "Probe" in probe}
        assert set(asked.values()) <= {"healthy"}, name
        assert asked or pod.get("restartPolicy") == "OnFailure", f"{name} has no probe"


def check_selectors(resources: list[dict[str, Any]]) -> None:
    """Each service, budget and route means pods that there are."""
    labels = [
        one["spec"]["template"]["metadata"]["labels"]
        for one in resources
        if one["kind"] in {"Deployment", "Job"}
    ]
    for one in resources:
        selector = one.get("spec", {}).get("selector", {})
        wanted = selector.get("matchLabels", selector if one["kind"] == "Service" else {})
        if wanted:
            assert any(wanted.items() <= label.items() for label in labels), one["metadata"]["name"]
    services = {one["metadata"]["name"] for one in resources if one["kind"] == "Service"}
    (ingress,) = (one for one in resources if one["kind"] == "Ingress")
    paths = ingress["spec"]["rules"][0]["http"]["paths"]
    assert {path["backend"]["service"]["name"] for path in paths} <= services
    live = re.compile(next(path["path"] for path in paths if path["backend"]["service"]["name"] == "live"))
    for address in (
        "/api/v1/sessions/7/live/",
        "/t/4F7K-29QX/live/",
        "/fr/t/4F7K-29QX/live/",
        "/fr/me/live/",
    ):
        assert live.fullmatch(address), address


def check_settings(kustomization: dict[str, Any]) -> None:
    settings = (ROOT / "tournaments" / "settings.py").read_text()
    for line in kustomization["configMapGenerator"][0]["literals"]:
        assert f'"{line.partition("=")[0]}"' in settings, line


if __name__ == "__main__":
    sys.exit(main())
