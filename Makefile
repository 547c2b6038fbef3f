# Étui: `make demo` to watch an evening, `make test` to check a change.
PY ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3,$(shell command -v $(p) 2>/dev/null)))
V := .venv
PORT ?= 8000
SPEED ?= 1
# This first in Python's path, and no folder before it, is the compiled form.
FIRST := PYTHONSAFEPATH=1 PYTHONPATH=var/compiled/lib:.
unexport PYTHONDONTWRITEBYTECODE # what pytest makes of the tests is kept for the next run
PIP := $(V)/bin/python -m pip install -q --disable-pip-version-check --require-hashes

.PHONY: demo serve test test-compiled test-dist test-service compiled dist pictures campaign-api campaign-boards campaign-clients campaign-files campaign-tests campaign-movements campaign-pages campaign-processes campaign-roles campaign-samples campaign-faults format locks locale bench bench-compiled bench-scoring bench-movements bench-service bench-files goldens pictures-rules clean

demo: export VAR_DIR := $(or $(VAR_DIR),var/demo)
demo: $(V)/.run ## an evening of COM’ON! played by robots, watched live; a season of 30 evenings before it with SEASON=1
	@exec $(V)/bin/python manage.py demo --port $(PORT) --speed $(SPEED) $(if $(SEASON),--season) $(if $(LAN),--lan $(filter-out 1,$(LAN)))

serve: $(V)/.run ## the service alone; for phones in the hall LAN=1, or LAN=address, and CERTIFICATE=1
	@exec $(V)/bin/python manage.py serve --port $(PORT) $(if $(LAN),--lan $(filter-out 1,$(LAN))) $(if $(CERTIFICATE),--certificate)

test: $(V)/.test ## every check: format, lint, types, layers, tests
	@$(V)/bin/ruff format --check .
	@$(V)/bin/ruff check .
	@PYTHONPATH=. $(V)/bin/lint-imports --no-cache
	@mkdir -p var; $(V)/bin/mypy >var/types.log 2>&1 & types=$$!; \
	  $(V)/bin/python -m pytest -q -n auto -m "not campaign and not phones$(if $(DATABASE_URL), and not either)" $(ARGS); tests=$$?; \
	  wait $$types; types=$$?; cat var/types.log; exit $$((tests || types)) # beside each other

compiled: $(V)/.compiled ## the engines compiled by mypyc, for those who want them; a minute or two
	@mkdir -p var
	@ETUI_COMPILED=1 $(V)/bin/python setup.py -q egg_info --egg-base var \
	  build --build-base var/compiled/build --build-lib var/compiled/lib >var/compiled.log 2>&1 || { tail -30 var/compiled.log; exit 1; }

test-compiled: compiled ## the tests of the engines, on the compiled form
	@$(FIRST) $(V)/bin/python -m pytest -q -n auto -p tests.compiled $(or $(ARGS),tests/engines)

DIST ?= var/dist
dist: $(V)/.compiled ## what pip installs: the sources as one file, and the wheel that is made of them; no network is needed
	@rm -rf $(DIST)/etui-* $(DIST)/egg; mkdir -p $(DIST)/egg
	@$(V)/bin/python setup.py -q egg_info --egg-base $(DIST)/egg sdist --dist-dir $(DIST)
	@$(V)/bin/python -m pip wheel -q --disable-pip-version-check --no-index --no-build-isolation --no-deps -w $(DIST) $(DIST)/etui-*.tar.gz
	@rm -rf $(DIST)/egg; ls $(DIST)

.PHONY: drill
drill: $(V)/.test ## an evening backed up, encrypted, brought back into an empty database and counted again
	@$(V)/bin/python -m pytest -q -n 2 tests/tournaments/test_drill.py $(ARGS)

test-dist: dist ## installs the wheel into an empty environment and uses it, without a network
	@$(V)/bin/python -m tests.installed $(DIST)

test-service: dist ## installs it as a service of Debian below a folder; needs systemd-analyze and logrotate
	@$(V)/bin/python -m tests.service $(DIST)

.PHONY: test-containers test-kubernetes sbom
test-containers: dist ## makes the images and runs an evening in them; needs root, buildah, debootstrap, podman-compose
	@$(V)/bin/python -m tests.containers $(DIST) $(ARGS)

test-kubernetes: $(V)/.deploy ## holds the manifests against the schemas of Kubernetes, without a cluster
	@$(V)/bin/python -m tests.kubernetes

sbom: $(V)/.deploy ## what is inside a release, with licences, as CycloneDX: var/dist/etui.cdx.json
	@mkdir -p $(DIST); rm -rf var/sbom; $(PY) -m venv var/sbom
	@var/sbom/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/run.txt
	@var/sbom/bin/python -m pip uninstall -q -y pip setuptools
	@$(V)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o $(DIST)/etui.cdx.json var/sbom/bin/python
	@rm -rf var/sbom; echo $(DIST)/etui.cdx.json

campaign-api: $(V)/.campaign ## every operation of the API, asked as each role, for four minutes: SECONDS, SEED
	@$(V)/bin/python -m tests.operations $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

.PHONY: campaign-migrations
campaign-migrations: $(V)/.campaign ## which new migrations would hinder an older release that works on; needs PostgreSQL
	@$(V)/bin/python -m tests.dangerous_migrations

campaign-boards: $(V)/.test ## the conformance suite on new random boards for ten minutes: SECONDS, BOARDS, SEED, GAME
	@$(V)/bin/python -m tests.engines.campaign $(if $(SECONDS),--seconds $(SECONDS)) $(if $(BOARDS),--boards $(BOARDS)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(GAME),--game $(GAME))

campaign-clients: $(V)/.clients ## a Python and a TypeScript client, made from the description and used; needs node 20 and npm
	@$(V)/bin/python -m tests.clients

campaign-tests: export ETUI_HANDS := $(or $(ETUI_HANDS),1)
campaign-tests: export ETUI_PILES := $(or $(ETUI_PILES),2000)
campaign-tests: export ETUI_DEALS := $(or $(ETUI_DEALS),10000)
campaign-tests: $(V)/.test ## what `make test` tries some of, and more of it: poker hands, deals, properties of scoring; SEED
	@$(V)/bin/python -m pytest -q -n auto --hypothesis-profile campaign \
	  $(if $(SEED),--hypothesis-seed $(SEED)) $(or $(ARGS),\
	  tests/engines/test_poker.py tests/engines/test_uniform.py tests/scoring)

campaign-files: $(V)/.test ## files as nobody writes them, of every kind that is taken in, for five minutes each: SECONDS, SEED
	@ETUI_FUZZ=1 $(V)/bin/python -m pytest -q -n 0 -s $(or $(ARGS),tests/tournaments/test_fuzzed_files.py)

campaign-movements: $(V)/.test ## seats of 3 to 60 players, each beside the best balance that is known
	@ETUI_EVENINGS=all $(V)/bin/python -m pytest -q -n auto tests/tournaments/test_seating.py

campaign-processes: $(V)/.test ## services killed, frozen, doubled and restarted, in both forms
	@$(V)/bin/python -m pytest -q -n auto -m campaign --ignore tests/frontend/test_every_page.py \
	  --ignore tests/frontend/test_page_queries.py --ignore tests/evenings_by_api $(ARGS)

.PHONY: campaign-evenings
campaign-evenings: $(V)/.test ## an evening of each game by the API alone, its lists made again by a plain script: ARGS
	@$(V)/bin/python -m pytest -q -n auto -m campaign tests/evenings_by_api $(ARGS)

.PHONY: campaign-phones
campaign-phones: $(V)/.test ## two phones a table, by touch: an evening of every game, and what goes wrong; taps and seconds
	@$(V)/bin/python -m pytest -q -s -n 0 -m phones tests/frontend/test_table_browser.py \
	  tests/frontend/test_entry_looks.py tests/frontend/test_entry_adversary.py $(ARGS)

campaign-roles: $(V)/.test ## every route as everybody, own and others’: who may, and who sees hands or names
	@ETUI_ROLES=all $(V)/bin/python -m pytest -q -n auto tests/frontend/test_who_may.py \
	  tests/tournaments/test_embargo.py tests/tournaments/test_names.py tests/tournaments/test_roles.py \
	  tests/tournaments/test_secrets.py

campaign-samples: $(V)/.test ## all that `make test` tries a part of, or SAMPLES=some, but for services and browsers; with ROLES=all as campaign-roles: ARGS
	@ETUI_SAMPLES=$(or $(SAMPLES),all) ETUI_ROLES=$(ROLES) $(V)/bin/python -m pytest -q -n auto -m "not campaign and not processes and not browser" $(ARGS)

campaign-pages: $(V)/.test ## every page photographed in both languages: ARGS=--basetemp=… says where; in WINDOWS=1 of four, by turns
	@ETUI_PAGES=all ETUI_WINDOWS=$(or $(WINDOWS),4) $(V)/bin/python -m pytest -q -n auto tests/frontend/test_design.py tests/frontend/test_every_page.py tests/frontend/test_page_queries.py $(ARGS)

pictures: $(V)/.test ## the pictures of docs/pictures, of invented clubs, anew
	@$(V)/bin/python -m tests.photographs

campaign-faults: $(V)/.test ## kills, crashes and losses while results come in, for ten minutes: N faults at most, SECONDS, SEED
	@$(V)/bin/python -m tests.faults $(if $(N),--faults $(N)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(JSON),--json $(JSON))

format: $(V)/.test
	@$(V)/bin/ruff format .
	@$(V)/bin/ruff check --fix .

locale: $(V)/.test ## collects the texts to translate, and compiles the translations
	@$(V)/bin/python -m tests.locale collect

goldens: $(V)/.run ## writes the golden records again
	@$(V)/bin/python -m tests.engines.goldens

.PHONY: diagrams
diagrams: ## the pictures of docs/architecture.md, from their texts; needs graphviz
	@for f in docs/diagrams/*.dot; do dot -Tsvg $$f -o $${f%.dot}.svg || exit 1; done

pictures-rules: $(V)/.test ## a golden deal of each game in pictures, in its rules
	@$(V)/bin/python -m tests.pictures

bench: $(V)/.bench ## µs per action beside a peer, in one run; SECONDS=600 measures longer
	@$(V)/bin/python -m benchmarks.replay $(if $(SECONDS),--seconds $(SECONDS))

bench-compiled: $(V)/.bench compiled ## the same of the compiled form
	@$(FIRST) $(V)/bin/python -m benchmarks.replay $(if $(SECONDS),--seconds $(SECONDS))

bench-scoring: $(V)/.test ## a million results beside floats, a late one, every method beside all pairs; or of so many TABLES
	@$(V)/bin/python -m benchmarks.scoring $(if $(TABLES),--many $(TABLES) --tables $(TABLES))

bench-service: $(V)/.test $(V)/.bench ## the service under load, beside an empty view: SECONDS, TABLES, WATCHERS, JSON, PLOT
	@$(V)/bin/python -m benchmarks.load $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES)) \
	  $(if $(WATCHERS),--watchers $(WATCHERS)) $(if $(JSON),--json $(JSON)) $(if $(PLOT),--plot $(PLOT))

.PHONY: bench-phone
bench-phone: $(V)/.test ## seconds until a slow phone behind a slow network can enter a result: ARGS=--visits 3
	@$(V)/bin/python -m benchmarks.phone $(ARGS)

bench-files: $(V)/.test ## files of 8,000 results, or of so many ROWS, read dry and stored, beside the library of their form
	@$(V)/bin/python -m benchmarks.files $(if $(ROWS),--rows $(ROWS))

.PHONY: bench-bad-files
bench-bad-files: $(V)/.test ## bombs, cells of 100 MB, a million columns, half files: seconds and memory until each is refused
	@$(V)/bin/python -m benchmarks.bad_files $(if $(BYTES),--bytes $(BYTES))

.PHONY: bench-events
bench-events: $(V)/.test ## an event of 100 clubs, or of so many CLUBS: stored, judged, in three lists, checked; one late club
	@$(V)/bin/python -m benchmarks.events $(if $(CLUBS),--clubs $(CLUBS)) $(if $(TABLES),--tables $(TABLES))

.PHONY: bench-prints
bench-prints: $(V)/.test ## the guide cards of a thousand contestants, or of so many CONTESTANTS, and what else is printed
	@$(V)/bin/python -m benchmarks.prints $(if $(CONTESTANTS),--contestants $(CONTESTANTS))

bench-movements: $(V)/.test ## seats tried a second, and the balance after 0.5, 1 and 2 seconds, or after so many SECONDS
	@$(V)/bin/python -m benchmarks.movements $(if $(SECONDS),--seconds $(SECONDS))

locks: ## needs uv and npm; the locks carry hashes and no address
	@for f in run watch test bench campaign clients compiled deploy site; do uv pip compile -q --upgrade --universal --generate-hashes --no-annotate --no-header \
	  --python-version 3.11 requirements/$$f.in -o requirements/$$f.txt || exit 1; done
	@cd requirements && npm update --package-lock-only && node package-lock.js

.PHONY: site
site: $(V)/.site ## the documentation as a site, in var/site; a link, an anchor or a picture that is not there stops it
	@$(V)/bin/python -m mkdocs build --strict && echo var/site/index.html

clean:
	rm -rf var $(V)

$(V)/bin/python:
	@test -n "$(PY)" || { echo "Étui needs Python 3.11 or newer: none was found. Install it, or say where it is: make demo PY=/path/to/python3.11"; exit 1; }
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Étui needs Python 3.11 or newer; $(PY) is $$($(PY) -V 2>&1). Say where a newer one is: make demo PY=/path/to/python3.11"; exit 1; }
	@mkdir -p $(V) 2>/dev/null && test -w . || { echo "This folder is read-only ($(CURDIR)): Étui writes .venv and var into it. Clone it to a place where you may write."; exit 1; }
	@echo "Making the virtual environment (about half a minute, once)…"
	@$(PY) -m venv $(V) 2>/dev/null || { rm -rf $(V); $(PY) -m venv --without-pip $(V) && $(PY) -m pip --python $(V)/bin/python install -q pip; } \
	  || { echo "$(PY) cannot make a virtual environment: install its venv module (Debian: apt install python3-venv)."; rm -rf $(V); exit 1; }

$(V)/.run: $(V)/bin/python requirements/run.txt
	@$(PIP) -r requirements/run.txt
	@touch $@

$(V)/.test: $(V)/.run requirements/test.txt
	@$(PIP) -r requirements/test.txt
	@touch $@

$(V)/.campaign: $(V)/.test requirements/campaign.txt
	@$(PIP) -r requirements/campaign.txt
	@touch $@

$(V)/.clients: $(V)/.test requirements/clients.txt
	@$(PIP) -r requirements/clients.txt
	@touch $@

$(V)/.compiled: $(V)/.test requirements/compiled.txt
	@$(PIP) -r requirements/compiled.txt
	@touch $@

$(V)/.deploy: $(V)/.test requirements/deploy.txt
	@$(PIP) -r requirements/deploy.txt
	@touch $@

$(V)/.site: $(V)/bin/python requirements/site.txt
	@$(PIP) -r requirements/site.txt
	@touch $@

$(V)/.bench: $(V)/.run requirements/bench.txt
	@$(PIP) -r requirements/bench.txt
	@touch $@
